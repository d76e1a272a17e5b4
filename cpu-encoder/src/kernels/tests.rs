use super::*;
#[test]
fn speed() {
    for (format, g) in [(Format::F32, 1), (Format::Int16, 2), (Format::Int8, 4), (Format::Bf16, 2)]
    {
        for (rows, k, n) in [
            (96, 128, 32),
            (96, 384, 32),
            (384, 384, 1152),
            (96, 384, 1536),
            (96, 1536, 384),
            (12, 32, 512),
            (12, 512, 32),
        ] {
            let d = k / g;
            let mut a = crate::aligned::Aligned::default();
            a.reset(rows * d);
            let mut w = crate::aligned::Aligned::default();
            w.reset(n * d);
            let mut out = crate::aligned::Aligned::default();
            out.reset(n * rows);
            let units = vec![1.0; n];
            let offsets = vec![0u32; n];
            let lu = vec![1.0; rows];
            let right = || Right {
                format,
                columns: n,
                depth: d,
                words: &w,
                bias: &[],
                units: if format.is_integer() { &units } else { &[] },
                offsets: if format == Format::Int8 { &offsets } else { &[] },
            };
            let left = || Left { words: &a, stride: d, rows, units: &lu };
            let mut best = f64::MAX;
            let reps = (200_000_000 / (rows * k * n)).max(1);
            for _ in 0..10 {
                let t = std::time::Instant::now();
                for _ in 0..reps {
                    Level::best().multiply(left(), right(), Finish::Store, &mut out, n);
                }
                best = best.min(t.elapsed().as_secs_f64() / reps as f64);
            }
            println!(
                "{format:?} {rows}x{k}x{n}: {:.0} Gop/s",
                2.0 * (rows * k * n) as f64 / best / 1e9
            );
        }
    }
}
