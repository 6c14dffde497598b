//! Places in a program with something about them, as they are typed.

use nearmiss_program::c::assume::Assumed;

/// `a.c:12: n > 0`. The name of the file may hold a colon, hence the first number between two of them counts.
pub fn assumed(text: &str) -> Result<Assumed, String> {
    let parts: Vec<&str> = text.split(':').collect();
    let is_line = |part: &&str| part.trim().parse::<u32>().is_ok_and(|line| line > 0);
    let at = (1..parts.len().saturating_sub(1)).find(|at| is_line(&parts[*at]));
    let usage = || "write FILE:LINE: EXPR, for example 'a.c:12: n > 0'".to_owned();
    let at = at.ok_or_else(usage)?;
    let line = parts[at].trim().parse().map_err(|_| usage())?;
    let condition = parts[at + 1..].join(":").trim().to_owned();
    let file = parts[..at].join(":").trim().to_owned();
    if condition.is_empty() || file.is_empty() {
        return Err(usage());
    }
    Ok(Assumed { file, line, condition })
}

/// `tcas.c:90`. The name may itself hold a colon, hence the last one counts.
pub fn line(text: &str) -> Result<(String, u32), String> {
    let (file, line) = text.rsplit_once(':').ok_or("write FILE:LINE, for example tcas.c:90")?;
    let line = line.parse().map_err(|_| format!("`{line}` is not the number of a line"))?;
    if file.is_empty() {
        return Err("write FILE:LINE, for example tcas.c:90".to_owned());
    }
    Ok((file.to_owned(), line))
}

/// `main.0:5`. The name of a loop may itself hold a colon, hence the last one counts.
pub fn loop_bound(text: &str) -> Result<(String, u32), String> {
    let (name, bound) = text.rsplit_once(':').ok_or("write LOOP:BOUND, for example main.0:5")?;
    let bound = bound.parse().map_err(|_| format!("the bound `{bound}` is not a number"))?;
    if name.is_empty() {
        return Err("the loop has no name; --show-loops lists them".to_owned());
    }
    Ok((name.to_owned(), bound))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn assumptions_are_split_at_the_line() {
        let expected = Assumed { file: "d/a.c".to_owned(), line: 12, condition: "c ? x : y".to_owned() };
        assert_eq!(assumed("d/a.c:12: c ? x : y"), Ok(expected));
        assert_eq!(assumed("C:/a.c:7:1").map(|assumed| assumed.file), Ok("C:/a.c".to_owned()));
        assert!(assumed("a.c: n > 0").is_err());
        assert!(assumed("a.c:12").is_err());
        assert!(assumed("a.c:0: 1").is_err());
        assert!(assumed(":3: 1").is_err());
    }

    #[test]
    fn lines_are_split_at_the_last_colon() {
        assert_eq!(line("c:/a.c:3"), Ok(("c:/a.c".to_owned(), 3)));
        assert!(line("a.c").is_err() && line(":3").is_err() && line("a.c:x").is_err());
    }

    #[test]
    fn loop_bounds_are_split_at_the_last_colon() {
        assert_eq!(loop_bound("f@a.c.0:3"), Ok(("f@a.c.0".to_owned(), 3)));
        assert!(loop_bound("main.0").is_err());
        assert!(loop_bound(":3").is_err());
        assert!(loop_bound("main.0:x").is_err());
    }
}
