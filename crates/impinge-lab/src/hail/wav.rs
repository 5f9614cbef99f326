//! Samples -> a WAV file: RIFF, one channel, 16 bits.

/// The bytes of the file. `None` when there are more samples than a WAV file can count.
pub fn wav_bytes(samples: &[i16], sample_rate: u32) -> Option<Vec<u8>> {
    const HEADER: u32 = 44;
    let data = u32::try_from(samples.len()).ok()?.checked_mul(2)?;
    let riff = data.checked_add(HEADER - 8)?;
    let mut bytes = Vec::with_capacity(samples.len() * 2 + HEADER as usize);
    bytes.extend(b"RIFF");
    bytes.extend(riff.to_le_bytes());
    bytes.extend(b"WAVEfmt ");
    bytes.extend(16u32.to_le_bytes());
    bytes.extend(1u16.to_le_bytes()); // PCM
    bytes.extend(1u16.to_le_bytes()); // channels
    bytes.extend(sample_rate.to_le_bytes());
    bytes.extend(sample_rate.checked_mul(2)?.to_le_bytes()); // bytes a second
    bytes.extend(2u16.to_le_bytes()); // bytes a frame
    bytes.extend(16u16.to_le_bytes()); // bits a sample
    bytes.extend(b"data");
    bytes.extend(data.to_le_bytes());
    bytes.extend(samples.iter().flat_map(|sample| sample.to_le_bytes()));
    Some(bytes)
}
