//! Whole forward passes on random weights against a plain implementation in 64 bits, and the
//! guarantees of every encoder.

mod plain;

use cpu_encoder::{
    CpuEncoder, EncoderError, EncoderScratch, ModelSizes, Precision, Sequence, SimdLevel,
    TensorSource,
};
use plain::{Family, RandomTensors, plain_states};

const BERT: ModelSizes = ModelSizes {
    layers: 2,
    heads: 2,
    width: 64,
    inner: 160,
    vocabulary: 50,
    positions: 40,
    types: 2,
    layer_norm_epsilon: 1e-12,
};

const NOMIC: ModelSizes = ModelSizes {
    layers: 2,
    heads: 1,
    width: 64,
    inner: 96,
    vocabulary: 50,
    positions: 40,
    types: 2,
    layer_norm_epsilon: 1e-12,
};

const ROTARY_BASE: f32 = 1000.0;

/// Minimum cosine of a token's state to that of the plain implementation.
const PRECISIONS: [(Precision, f64); 4] = [
    (Precision::F32, 0.999_999_9),
    (Precision::Bf16, 0.999_9),
    (Precision::Int16, 0.999_999),
    (Precision::Int8, 0.999),
];

fn encoder(family: Family, precision: Precision, level: SimdLevel) -> CpuEncoder {
    let tensors = RandomTensors;
    let made = match family {
        Family::Bert => CpuEncoder::from_bert(BERT, &tensors, "body.", precision, level),
        Family::Nomic => {
            CpuEncoder::from_nomic(NOMIC, ROTARY_BASE, &tensors, "body.", precision, level)
        }
    };
    made.expect("the shape is one that can be run")
}

/// Token numbers and types of sequences of many lengths.
fn inputs() -> Vec<(Vec<u32>, Vec<u32>)> {
    let lengths = [5, 1, 40, 12, 0, 33, 13, 24, 17];
    let ids = |length: u32| (0..length).map(|at| (at * 7 + length) % 50).collect::<Vec<u32>>();
    let types = |length: u32| (0..length).map(|at| u32::from(at > 3)).collect();
    lengths.into_iter().map(|length| (ids(length), types(length))).collect()
}

fn sequences(inputs: &[(Vec<u32>, Vec<u32>)]) -> Vec<Sequence<'_>> {
    inputs.iter().map(|(ids, types)| Sequence { ids, types }).collect()
}

fn states(encoder: &CpuEncoder, sequences: &[Sequence<'_>]) -> Vec<f32> {
    let mut states = Vec::new();
    encoder
        .encode_sequences(&mut EncoderScratch::new(), sequences, &mut states)
        .expect("the input is valid");
    states
}

fn cosine(a: &[f32], b: &[f64]) -> f64 {
    let a: Vec<f64> = a.iter().copied().map(f64::from).collect();
    let product = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| a * b).sum::<f64>();
    product(&a, b) / (product(&a, &a) * product(b, b)).sqrt()
}

#[test]
fn states_agree_with_the_plain_implementation() {
    let inputs = inputs();
    for family in [Family::Bert, Family::Nomic] {
        let expected: Vec<f64> =
            inputs.iter().flat_map(|(ids, types)| plain_states(family, ids, types)).collect();
        for (precision, min_cosine) in PRECISIONS {
            for level in SimdLevel::detect_available() {
                let found = states(&encoder(family, precision, level), &sequences(&inputs));
                assert_eq!(found.len(), expected.len());
                let pairs = found.chunks_exact(64).zip(expected.chunks_exact(64));
                let lowest = pairs.map(|(a, b)| cosine(a, b)).fold(1.0, f64::min);
                println!("{family:?} {precision:?} {}: {lowest}", level.name());
                assert!(lowest >= min_cosine, "{family:?} {precision:?} {level:?}: {lowest}");
            }
        }
    }
}

#[test]
fn a_sequence_has_the_same_states_alone_and_among_others() {
    let inputs = inputs();
    let sequences = sequences(&inputs);
    for family in [Family::Bert, Family::Nomic] {
        for (precision, _) in PRECISIONS {
            for level in SimdLevel::detect_available() {
                let encoder = encoder(family, precision, level);
                let together = states(&encoder, &sequences);
                let alone: Vec<f32> =
                    sequences.iter().flat_map(|one| states(&encoder, &[*one])).collect();
                assert_eq!(together, alone, "{family:?} {precision:?} {level:?}");
            }
        }
    }
}

#[test]
fn buffers_carry_nothing_over() {
    let inputs = inputs();
    let sequences = sequences(&inputs);
    let encoders = [Family::Bert, Family::Nomic]
        .map(|family| encoder(family, Precision::Int8, SimdLevel::detect_best()));
    let (mut scratch, mut found) = (EncoderScratch::new(), Vec::new());
    for encoder in encoders.iter().cycle().take(4) {
        encoder.encode_sequences(&mut scratch, &sequences, &mut found).expect("the input is valid");
        assert_eq!(found, states(encoder, &sequences));
    }
}

#[test]
fn no_sequences_give_no_states() {
    let encoder = encoder(Family::Bert, Precision::Int16, SimdLevel::detect_best());
    assert!(states(&encoder, &[]).is_empty());
    assert!(states(&encoder, &[Sequence { ids: &[], types: &[] }]).is_empty());
}

#[test]
fn no_types_means_type_zero() {
    let encoder = encoder(Family::Bert, Precision::F32, SimdLevel::detect_best());
    let without = states(&encoder, &[Sequence { ids: &[1, 2, 3], types: &[] }]);
    let with = states(&encoder, &[Sequence { ids: &[1, 2, 3], types: &[0; 3] }]);
    assert_eq!(without, with);
}

#[test]
fn a_bad_input_is_an_error_and_leaves_no_states() {
    let encoder = encoder(Family::Bert, Precision::Int16, SimdLevel::detect_best());
    let long = vec![1; 41];
    let mut states = vec![1.0];
    let mut refuse = |ids: &[u32], types: &[u32]| {
        let good = Sequence { ids: &[1], types: &[0] };
        let sequences = [good, Sequence { ids, types }];
        let refused = encoder.encode_sequences(&mut EncoderScratch::new(), &sequences, &mut states);
        assert!(states.is_empty());
        refused.expect_err("the input is bad")
    };
    assert!(matches!(refuse(&[50], &[]), EncoderError::UnknownToken { id: 50, .. }));
    assert!(matches!(refuse(&[u32::MAX], &[]), EncoderError::UnknownToken { .. }));
    assert!(matches!(refuse(&long, &[]), EncoderError::TooLong { tokens: 41, .. }));
    assert!(matches!(refuse(&[1], &[2]), EncoderError::UnknownType { found: 2, .. }));
    assert!(matches!(refuse(&[1, 1], &[0]), EncoderError::TypesMissing { .. }));
}

#[test]
fn a_shape_that_cannot_be_run_is_an_error() {
    let level = SimdLevel::detect_best();
    let shapes = [
        ModelSizes { heads: 0, ..BERT },
        ModelSizes { heads: 3, ..BERT },
        ModelSizes { heads: 4, ..BERT },
        ModelSizes { width: 0, ..BERT },
        ModelSizes { inner: 100, ..BERT },
        ModelSizes { types: 0, ..BERT },
        ModelSizes { vocabulary: usize::MAX, ..BERT },
        ModelSizes { layer_norm_epsilon: f32::NAN, ..BERT },
    ];
    for shape in shapes {
        let made = CpuEncoder::from_bert(shape, &RandomTensors, "body.", Precision::F32, level);
        assert!(matches!(made, Err(EncoderError::Shape(_))), "{shape:?}");
    }
    let made = CpuEncoder::from_nomic(NOMIC, 0.0, &RandomTensors, "body.", Precision::F32, level);
    assert!(matches!(made, Err(EncoderError::Shape(_))));
}

#[test]
fn weights_that_are_missing_short_or_not_finite_are_errors() {
    struct CorruptTensors(fn(&str, Vec<f32>) -> Result<Vec<f32>, EncoderError>);
    impl TensorSource for CorruptTensors {
        fn read_tensor(&self, name: &str, shape: &[usize]) -> Result<Vec<f32>, EncoderError> {
            let numbers = RandomTensors.read_tensor(name, shape)?;
            if name.ends_with("1.output.dense.weight") {
                (self.0)(name, numbers)
            } else {
                Ok(numbers)
            }
        }
    }
    let make = |corrupt| {
        let made = CpuEncoder::from_bert(
            BERT,
            &CorruptTensors(corrupt),
            "body.",
            Precision::Int8,
            SimdLevel::detect_best(),
        );
        made.err().expect("the weights are corrupt")
    };
    let missing = make(|name, _| {
        Err(EncoderError::Tensor { name: name.to_owned(), source: "it is not there".into() })
    });
    assert!(matches!(missing, EncoderError::Tensor { .. }));
    let short = make(|_, numbers| Ok(numbers[1..].to_vec()));
    assert!(matches!(short, EncoderError::TensorSize { .. }));
    let infinite = make(|_, mut numbers| {
        numbers[7] = f32::INFINITY;
        Ok(numbers)
    });
    assert!(matches!(infinite, EncoderError::NotFinite { .. }));
}
