//! Rotary positions: each pair of numbers of a head is rotated by an angle that grows with the
//! position (Su et al., RoFormer; a pair has one number from each half of a head, as in GPT-NeoX).

/// The rotations of all positions.
pub(crate) struct Rotary {
    half: usize,
    cosines: Vec<f32>,
    sines: Vec<f32>,
}

impl Rotary {
    pub(crate) fn new(head_width: usize, positions: usize, base: f32) -> Self {
        let half = head_width / 2;
        let angle = |index: usize| {
            let (position, pair) = (index / half, index % half);
            let frequency = 1.0 / base.powf(2.0 * pair as f32 / head_width as f32);
            position as f32 * frequency
        };
        let angles = || (0..positions * half).map(angle);
        let cosines = angles().map(f32::cos).collect();
        Self { half, cosines, sines: angles().map(f32::sin).collect() }
    }

    /// Rotates all heads of `row`, which follow one another.
    pub(crate) fn rotate_heads(&self, position: usize, row: &mut [f32]) {
        let span = position * self.half..(position + 1) * self.half;
        let (cosines, sines) = (&self.cosines[span.clone()], &self.sines[span]);
        for head in row.chunks_exact_mut(2 * self.half) {
            let (first, second) = head.split_at_mut(self.half);
            let pairs = first.iter_mut().zip(second).zip(cosines.iter().zip(sines));
            for ((first, second), (cosine, sine)) in pairs {
                let (x, y) = (*first, *second);
                *first = x * cosine - y * sine;
                *second = x * sine + y * cosine;
            }
        }
    }
}
