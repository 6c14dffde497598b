//! Numbers of so many bits: the arithmetic that terms, programs and both machines share.

/// The number whose low `width` bits are ones, up to 128.
#[inline]
pub const fn low_bits(width: u32) -> u128 {
    if width >= 128 { u128::MAX } else { (1 << width) - 1 }
}

/// The two's-complement reading of the low `width` bits, of which there is at least one.
#[inline]
pub const fn sign_extend(value: u128, width: u32) -> i128 {
    if width >= 1 && width <= 64 {
        let unused = 64 - width;
        return ((((value as u64) << unused) as i64) >> unused) as i128;
    }
    let unused = 128u32.saturating_sub(width);
    ((value << unused) as i128) >> unused
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_highest_bit_is_the_sign() {
        for width in [1, 7, 8, 31, 32, 63, 64, 65, 127, 128] {
            let least = 1u128 << (width - 1);
            assert_eq!(sign_extend(least, width), i128::MIN >> (128 - width), "{width}");
            assert_eq!(sign_extend(least - 1, width), (least - 1) as i128, "{width}");
            assert_eq!(low_bits(width), u128::MAX >> (128 - width), "{width}");
        }
        assert_eq!(low_bits(0), 0);
    }
}
