//! Draws pictures: `draw OUT FILE...` writes a PNG for each file, and an SVG for each drawing, and prints
//! its labels and the time.

use std::{path::Path, time::Instant};

use picture::{DrawOptions, draw_picture};

fn main() {
    let mut arguments = std::env::args_os().skip(1);
    let Some(out) = arguments.next() else {
        eprintln!("usage: draw OUT FILE...");
        std::process::exit(2);
    };
    let out = Path::new(&out);
    std::fs::create_dir_all(out).expect("the folder can be made");
    let options = DrawOptions { keeps_drawing: true, ..DrawOptions::default() };
    for file in arguments {
        let file = Path::new(&file);
        let bytes = match std::fs::read(file) {
            Ok(bytes) => bytes,
            Err(error) => {
                println!("{}\t{error}", file.display());
                continue;
            }
        };
        let begun = Instant::now();
        let drawn = draw_picture(&bytes, &options);
        let elapsed_ms = begun.elapsed().as_secs_f64() * 1e3;
        let name = file.file_name().unwrap_or_default().to_string_lossy();
        match drawn {
            Ok(drawn) => {
                let (width, height) = (drawn.width, drawn.height);
                let labels: Vec<&str> =
                    drawn.labels.iter().map(|label| label.text.as_str()).collect();
                let (kind, size) = (drawn.format.name(), drawn.png.len());
                let labels = labels.join(" | ");
                println!("{name}\t{kind}\t{width}x{height}\t{size}\t{elapsed_ms:.1}\t{labels}");
                std::fs::write(out.join(format!("{name}.png")), drawn.png).expect("written");
                if let Some(svg) = drawn.svg {
                    std::fs::write(out.join(format!("{name}.svg")), svg).expect("written");
                }
            }
            Err(error) => println!("{name}\tFAILED\t{error}\t\t{elapsed_ms:.1}"),
        }
    }
}
