//! Defaults of parameters that differ from those of their types.

pub(super) fn match_count() -> u32 {
    30
}

pub(super) fn rerank_top_k() -> u32 {
    10
}

pub(super) fn image_match_count() -> u32 {
    10
}

pub(super) fn image_match_threshold() -> f64 {
    0.3
}

pub(super) fn combined_image_match_count() -> u32 {
    5
}

pub(super) fn yes() -> bool {
    true
}
