//! Standard output that survives a closed pipe, and text from outside made safe to show.

use std::fmt;
use std::io::{self, BufWriter, ErrorKind, IsTerminal, Stdout, Write};

use serde::Serialize;

/// Why nothing could be decided: bad input, a bad command line, a full disk. Leads to exit status 2.
#[derive(Debug)]
pub(crate) struct Unusable(String);

impl Unusable {
    pub(crate) fn new(message: impl Into<String>) -> Unusable {
        Unusable(message.into())
    }
}

impl fmt::Display for Unusable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// Buffered standard output. Once the reader has gone, lines are dropped and the work goes on: the exit status is
/// an answer too. Any other failure to write is an error.
pub(crate) struct Output {
    inner: BufWriter<Stdout>,
    closed: bool,
}

impl Output {
    pub(crate) fn stdout() -> Output {
        Output { inner: BufWriter::new(io::stdout()), closed: false }
    }

    /// Writes one line.
    pub(crate) fn line(&mut self, line: impl fmt::Display) -> Result<(), Unusable> {
        if self.closed {
            return Ok(());
        }
        let written = writeln!(self.inner, "{line}");
        self.check(written)
    }

    /// Writes one JSON object as one line.
    pub(crate) fn json(&mut self, object: &impl Serialize) -> Result<(), Unusable> {
        let text = serde_json::to_string(object).map_err(|error| Unusable::new(format!("JSON: {error}")))?;
        self.line(text)
    }

    /// Hands everything to the reader.
    pub(crate) fn finish(&mut self) -> Result<(), Unusable> {
        if self.closed {
            return Ok(());
        }
        let flushed = self.inner.flush();
        self.check(flushed)
    }

    fn check(&mut self, result: io::Result<()>) -> Result<(), Unusable> {
        match result {
            Err(error) if error.kind() == ErrorKind::BrokenPipe => {
                self.closed = true;
                Ok(())
            }
            Err(error) => Err(Unusable::new(format!("standard output: {error}"))),
            Ok(()) => Ok(()),
        }
    }
}

/// Whether standard output may be coloured: on a terminal, unless NO_COLOR is set to something.
pub(crate) fn coloured() -> bool {
    let refused = std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
    io::stdout().is_terminal() && !refused
}

/// Reports on standard error; there is nowhere left to go if that fails.
pub(crate) fn complain(unusable: &Unusable) {
    let _ = writeln!(io::stderr(), "error: {unusable}");
}

/// Text from a file or the command line as it may be shown on a terminal: control and invisible characters escaped,
/// cut to a line's length.
pub(crate) fn shown(text: &str) -> String {
    const MAX: usize = 120;
    let mut safe = String::new();
    for (n, c) in text.chars().enumerate() {
        if n == MAX {
            safe.push('…');
            break;
        }
        match c {
            '"' | '\'' | '\\' => safe.push(c),
            _ => safe.extend(c.escape_debug()),
        }
    }
    safe
}

#[cfg(test)]
mod tests {
    use super::shown;

    #[test]
    fn hostile_text_is_defused() {
        assert_eq!(shown("a \"quoted\" näme"), "a \"quoted\" näme");
        assert_eq!(shown("\x1b[31mred\r\n\u{202e}"), "\\u{1b}[31mred\\r\\n\\u{202e}");
        assert_eq!(shown(&"x".repeat(1000)).chars().count(), 121);
    }
}
