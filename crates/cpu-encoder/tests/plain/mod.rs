//! The two families written as in their papers: 64-bit numbers, one loop for each sum, no packing, no
//! blocks.

use cpu_encoder::{EncoderError, TensorSource};

/// The family of an encoder.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Family {
    Bert,
    Nomic,
}

/// Random weights that depend on the tensor's name alone.
pub(crate) struct RandomTensors;

impl RandomTensors {
    fn numbers(&self, name: &str, shape: &[usize]) -> Vec<f32> {
        let mut state = name
            .bytes()
            .fold(7_u64, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3));
        let mut next = || {
            state =
                state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963);
            (state >> 40) as f32 / (1 << 23) as f32 - 1.0
        };
        let norm = name.contains("orm") && name.ends_with("weight") || name.contains("_ln.weight");
        let scale = if shape.len() > 1 { 1.5 / (shape[1] as f32).sqrt() } else { 0.2 };
        let middle = if norm { 1.0 } else { 0.0 };
        (0..shape.iter().product()).map(|_| middle + scale * next()).collect()
    }
}

impl TensorSource for RandomTensors {
    fn read_tensor(&self, name: &str, shape: &[usize]) -> Result<Vec<f32>, EncoderError> {
        Ok(self.numbers(name, shape))
    }
}

const WIDTH: usize = 64;

type Rows = Vec<Vec<f64>>;

fn tensor(name: &str, shape: &[usize]) -> Vec<f64> {
    let numbers = RandomTensors.numbers(&format!("body.{name}"), shape);
    numbers.into_iter().map(f64::from).collect()
}

fn linear(rows: &Rows, name: &str, columns: usize, bias: bool) -> Rows {
    let terms = rows.first().map_or(WIDTH, Vec::len);
    let weights = tensor(&format!("{name}.weight"), &[columns, terms]);
    let bias = if bias { tensor(&format!("{name}.bias"), &[columns]) } else { vec![0.0; columns] };
    let product = |row: &[f64], column: usize| {
        let weights = &weights[column * terms..(column + 1) * terms];
        row.iter().zip(weights).map(|(a, b)| a * b).sum::<f64>() + bias[column]
    };
    rows.iter().map(|row| (0..columns).map(|column| product(row, column)).collect()).collect()
}

fn norm(rows: Rows, name: &str) -> Rows {
    let gain = tensor(&format!("{name}.weight"), &[WIDTH]);
    let shift = tensor(&format!("{name}.bias"), &[WIDTH]);
    let normal = |row: Vec<f64>| {
        let mean = row.iter().sum::<f64>() / WIDTH as f64;
        let variance = row.iter().map(|x| (x - mean).powi(2)).sum::<f64>() / WIDTH as f64;
        let scaled = row.iter().map(|x| (x - mean) / (variance + 1e-12).sqrt());
        scaled.zip(&gain).zip(&shift).map(|((x, gain), shift)| x * gain + shift).collect()
    };
    rows.into_iter().map(normal).collect()
}

fn add(a: &Rows, b: &Rows) -> Rows {
    let pairs = a.iter().zip(b);
    pairs.map(|(a, b)| a.iter().zip(b).map(|(a, b)| a + b).collect()).collect()
}

fn attention(queries: &Rows, keys: &Rows, values: &Rows, heads: usize) -> Rows {
    let head_width = WIDTH / heads;
    let mut out = vec![vec![0.0; WIDTH]; queries.len()];
    for head in 0..heads {
        let part = head * head_width..(head + 1) * head_width;
        for (query, out) in queries.iter().zip(&mut out) {
            let score = |key: &Vec<f64>| {
                let pairs = query[part.clone()].iter().zip(&key[part.clone()]);
                (pairs.map(|(a, b)| a * b).sum::<f64>() / (head_width as f64).sqrt()).exp()
            };
            let scores: Vec<f64> = keys.iter().map(score).collect();
            let total: f64 = scores.iter().sum();
            for (score, value) in scores.iter().zip(values) {
                for at in part.clone() {
                    out[at] += score / total * value[at];
                }
            }
        }
    }
    out
}

/// Rotates the pairs of the only head.
fn rotate(rows: &mut Rows) {
    for (position, row) in rows.iter_mut().enumerate() {
        for pair in 0..WIDTH / 2 {
            let frequency = 1000.0_f64.powf(-2.0 * pair as f64 / WIDTH as f64);
            let (sine, cosine) = (position as f64 * frequency).sin_cos();
            let (x, y) = (row[pair], row[pair + WIDTH / 2]);
            row[pair] = x * cosine - y * sine;
            row[pair + WIDTH / 2] = x * sine + y * cosine;
        }
    }
}

/// The error function by its series.
fn erf(x: f64) -> f64 {
    let (mut term, mut sum) = (x, x);
    for n in 1..200 {
        term *= -x * x / f64::from(n);
        sum += term / f64::from(2 * n + 1);
    }
    if x.abs() > 5.0 { x.signum() } else { sum * std::f64::consts::FRAC_2_SQRT_PI }
}

fn embeddings(ids: &[u32], types: &[u32], positions: bool) -> Rows {
    let words = tensor("embeddings.word_embeddings.weight", &[50, WIDTH]);
    let kinds = tensor("embeddings.token_type_embeddings.weight", &[2, WIDTH]);
    let position_rows = tensor("embeddings.position_embeddings.weight", &[40, WIDTH]);
    let number = |position: usize, at: usize| {
        let position_number = if positions { position_rows[position * WIDTH + at] } else { 0.0 };
        let (word, kind) = (ids[position] as usize, types[position] as usize);
        words[word * WIDTH + at] + kinds[kind * WIDTH + at] + position_number
    };
    (0..ids.len()).map(|position| (0..WIDTH).map(|at| number(position, at)).collect()).collect()
}

fn bert_layer(states: &Rows, name: &str) -> Rows {
    let part = |part| linear(states, &format!("{name}attention.self.{part}"), WIDTH, true);
    let gathered = attention(&part("query"), &part("key"), &part("value"), 2);
    let output = linear(&gathered, &format!("{name}attention.output.dense"), WIDTH, true);
    let states = norm(add(states, &output), &format!("{name}attention.output.LayerNorm"));
    let mut inner = linear(&states, &format!("{name}intermediate.dense"), 160, true);
    for x in inner.iter_mut().flatten() {
        *x *= (1.0 + erf(*x / std::f64::consts::SQRT_2)) / 2.0;
    }
    let output = linear(&inner, &format!("{name}output.dense"), WIDTH, true);
    norm(add(&states, &output), &format!("{name}output.LayerNorm"))
}

fn nomic_layer(states: &Rows, name: &str) -> Rows {
    let mixed = linear(states, &format!("{name}attn.Wqkv"), 3 * WIDTH, false);
    let part = |part: usize| -> Rows {
        mixed.iter().map(|row| row[part * WIDTH..(part + 1) * WIDTH].to_vec()).collect()
    };
    let (mut queries, mut keys) = (part(0), part(1));
    rotate(&mut queries);
    rotate(&mut keys);
    let gathered = attention(&queries, &keys, &part(2), 1);
    let output = linear(&gathered, &format!("{name}attn.out_proj"), WIDTH, false);
    let states = norm(add(states, &output), &format!("{name}norm1"));
    let mut inner = linear(&states, &format!("{name}mlp.fc11"), 96, false);
    let gates = linear(&states, &format!("{name}mlp.fc12"), 96, false);
    for (x, gate) in inner.iter_mut().flatten().zip(gates.iter().flatten()) {
        *x *= gate / (1.0 + (-gate).exp());
    }
    let output = linear(&inner, &format!("{name}mlp.fc2"), WIDTH, false);
    norm(add(&states, &output), &format!("{name}norm2"))
}

/// The states of one sequence, one after the other.
pub(crate) fn plain_states(family: Family, ids: &[u32], types: &[u32]) -> Vec<f64> {
    let positions = matches!(family, Family::Bert);
    let first = match family {
        Family::Bert => "embeddings.LayerNorm",
        Family::Nomic => "emb_ln",
    };
    let mut states = norm(embeddings(ids, types, positions), first);
    for layer in 0..2 {
        states = match family {
            Family::Bert => bert_layer(&states, &format!("encoder.layer.{layer}.")),
            Family::Nomic => nomic_layer(&states, &format!("encoder.layers.{layer}.")),
        };
    }
    states.concat()
}
