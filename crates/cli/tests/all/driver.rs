//! Drives a headless Chromium through its DevTools protocol: JSON messages between zero bytes, over two pipes.
//!
//! The browser reads commands from descriptor 3 and writes answers to descriptor 4; a shell connects these to named pipes,
//! so that nothing but the browser is needed. Every wait has an end.

use std::env;
use std::fs::{self, File};
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::thread;
use std::time::{Duration, Instant};

use crate::skip::skip;
use serde_json::{Value, json};
use tempfile::TempDir;

/// How long any one answer may take.
const PATIENCE: Duration = Duration::from_secs(60);

/// What is looked at on a page.
pub type Check = fn(&mut Browser);

/// One browser for several checks, since starting one takes longer than most of them; the output says which one failed.
/// Without a browser they are left out.
pub fn run(checks: &[(&str, Check)]) {
    let Some(program) = program() else {
        let names: Vec<&str> = checks.iter().map(|(name, _)| *name).collect();
        return skip(&format!("pages ({})", names.join("; ")), "Chromium or Chrome (or name one in CHROMIUM)");
    };
    let mut browser = Browser::start(&program);
    for (name, check) in checks {
        println!("{name}");
        browser.reset();
        check(&mut browser);
        assert_eq!(browser.complaints(), Vec::<String>::new(), "{name}: no errors on the page");
    }
}

/// A running browser with one tab.
pub struct Browser {
    process: Child,
    commands: File,
    messages: Receiver<Value>,
    session: Option<String>,
    last: u64,
    complaints: Vec<String>,
    _profile: TempDir,
}

/// What the system calls its Chromium, if it has one.
fn program() -> Option<PathBuf> {
    let names = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"];
    let given = env::var_os("CHROMIUM").map(PathBuf::from);
    let path = env::var_os("PATH").unwrap_or_default();
    let mut found = env::split_paths(&path).flat_map(|folder| names.map(|name| folder.join(name)));
    given.or_else(|| found.find(|program| program.is_file()))
}

impl Browser {
    /// Starts it with an empty tab.
    pub fn start(program: &Path) -> Browser {
        let profile = TempDir::new().expect("there is room for a profile");
        let [commands, messages] = ["commands", "messages"].map(|name| profile.path().join(name));
        let made = Command::new("mkfifo").args([&commands, &messages]).status().expect("mkfifo runs");
        assert!(made.success(), "named pipes can be made");
        let process = Command::new("sh")
            .args(["-c", r#"exec "$@" 3<"$COMMANDS" 4>"$MESSAGES""#, "sh"])
            .arg(program)
            .args(["--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run"])
            .args(["--disable-extensions", "--disable-background-networking", "--disable-component-update"])
            .args(["--force-device-scale-factor=1", "--hide-scrollbars", "--window-size=1280,900"])
            .arg("--remote-debugging-pipe")
            .arg(format!("--user-data-dir={}", profile.path().join("profile").display()))
            .arg("about:blank")
            .env("COMMANDS", &commands)
            .env("MESSAGES", &messages)
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .expect("a shell runs");
        // The shell opens the pipes in this order, and each waits for the other end.
        let commands = File::options().write(true).open(&commands).expect("the browser reads commands");
        let messages = listen(File::open(&messages).expect("the browser writes messages"));
        let last = 0;
        let mut browser =
            Browser { process, commands, messages, session: None, last, complaints: Vec::new(), _profile: profile };
        let target = browser.call("Target.createTarget", json!({"url": "about:blank"}));
        let attach = json!({"targetId": target["targetId"], "flatten": true});
        let session = browser.call("Target.attachToTarget", attach);
        browser.session = session["sessionId"].as_str().map(str::to_owned);
        for domain in ["Page", "Runtime", "Log"] {
            browser.call(&format!("{domain}.enable"), json!({}));
        }
        browser
    }

    /// As new: a window of 1280 by 900 pixels on a light system without fingers.
    pub fn reset(&mut self) {
        let size = json!({"width": 1280, "height": 900, "deviceScaleFactor": 1, "mobile": false});
        self.call("Emulation.setDeviceMetricsOverride", size);
        self.call("Emulation.setTouchEmulationEnabled", json!({"enabled": false}));
        let light = json!([{"name": "prefers-color-scheme", "value": "light"}]);
        self.call("Emulation.setEmulatedMedia", json!({"media": "", "features": light}));
    }

    /// Sends a command and returns its result.
    pub fn call(&mut self, method: &str, params: Value) -> Value {
        self.last += 1;
        let mut message = json!({"id": self.last, "method": method, "params": params});
        if let Some(session) = &self.session {
            message["sessionId"] = json!(session);
        }
        let mut bytes = message.to_string().into_bytes();
        bytes.push(0);
        self.commands.write_all(&bytes).expect("the browser takes commands");
        let end = Instant::now() + PATIENCE;
        loop {
            let answer = self.receive(end).unwrap_or_else(|| panic!("no answer to {method}"));
            if answer["id"] == self.last {
                assert!(answer["error"].is_null(), "{method}: {}", answer["error"]);
                return answer["result"].clone();
            }
        }
    }

    /// The next message; what it says of errors on the page is kept.
    fn receive(&mut self, end: Instant) -> Option<Value> {
        match self.messages.recv_timeout(end.saturating_duration_since(Instant::now())) {
            Ok(message) => {
                let params = &message["params"];
                match message["method"].as_str() {
                    Some("Runtime.exceptionThrown") => self.complaints.push(params["exceptionDetails"].to_string()),
                    Some("Log.entryAdded") if params["entry"]["level"] == "error" => {
                        self.complaints.push(params["entry"].to_string());
                    }
                    Some("Runtime.consoleAPICalled") if params["type"] == "error" || params["type"] == "warning" => {
                        self.complaints.push(params["args"].to_string());
                    }
                    Some("Page.javascriptDialogOpening") => self.complaints.push(format!("a dialog: {params}")),
                    _ => {}
                }
                Some(message)
            }
            Err(RecvTimeoutError::Timeout) => None,
            Err(RecvTimeoutError::Disconnected) => panic!("the browser is gone"),
        }
    }

    /// Opens a file and waits until its scripts ran and a frame was painted.
    pub fn open(&mut self, page: &Path) {
        self.call("Page.navigate", json!({"url": format!("file://{}", page.display())}));
        let end = Instant::now() + PATIENCE;
        while self.eval("document.readyState === 'complete' && !!window.nearmiss") != true {
            assert!(Instant::now() < end, "the page is not ready: {:?}", self.complaints);
            thread::sleep(Duration::from_millis(20));
        }
        self.settle();
    }

    /// Waits until what was asked for is painted.
    pub fn settle(&mut self) {
        self.eval("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done(true))))");
    }

    /// The value of an expression on the page.
    pub fn eval(&mut self, expression: &str) -> Value {
        let params = json!({"expression": expression, "returnByValue": true, "awaitPromise": true});
        let answer = self.call("Runtime.evaluate", params);
        assert!(answer["exceptionDetails"].is_null(), "{expression}: {}", answer["exceptionDetails"]);
        answer["result"]["value"].clone()
    }

    /// An expression that is a number.
    pub fn number(&mut self, expression: &str) -> f64 {
        let value = self.eval(expression);
        value.as_f64().unwrap_or_else(|| panic!("{expression} is {value}"))
    }

    /// An expression that is text.
    pub fn text(&mut self, expression: &str) -> String {
        let value = self.eval(expression);
        value.as_str().unwrap_or_else(|| panic!("{expression} is {value}")).to_owned()
    }

    /// A real event of the mouse, such as `mouseMoved`.
    pub fn mouse(&mut self, kind: &str, x: f64, y: f64) {
        let button = if kind == "mouseMoved" { "none" } else { "left" };
        let params = json!({"type": kind, "x": x, "y": y, "button": button, "clickCount": 1});
        self.call("Input.dispatchMouseEvent", params);
    }

    /// Presses and releases.
    pub fn click(&mut self, x: f64, y: f64) {
        self.mouse("mousePressed", x, y);
        self.mouse("mouseReleased", x, y);
        self.settle();
    }

    /// Brings an element into sight and clicks on its middle.
    pub fn click_on(&mut self, selector: &str) {
        self.eval(&format!("document.querySelector({selector:?}).scrollIntoView({{block: 'center'}})"));
        self.settle();
        let place = self.eval(&format!(
            "(() => {{ const box = document.querySelector({selector:?}).getBoundingClientRect(); \
             return [box.left + box.width / 2, box.top + box.height / 2]; }})()"
        ));
        let [x, y] = [0, 1].map(|i| place[i].as_f64().expect("a place"));
        self.click(x, y);
    }

    /// Holds the button from one point to another.
    pub fn drag(&mut self, from: [f64; 2], to: [f64; 2]) {
        self.mouse("mousePressed", from[0], from[1]);
        for step in 1..=4 {
            let at = |i: usize| from[i] + (to[i] - from[i]) * f64::from(step) / 4.0;
            let params = json!({"type": "mouseMoved", "x": at(0), "y": at(1), "button": "left", "buttons": 1});
            self.call("Input.dispatchMouseEvent", params);
        }
        self.mouse("mouseReleased", to[0], to[1]);
        self.settle();
    }

    /// Turns the wheel.
    pub fn wheel(&mut self, x: f64, y: f64, by: f64) {
        let params = json!({"type": "mouseWheel", "x": x, "y": y, "deltaX": 0, "deltaY": by});
        self.call("Input.dispatchMouseEvent", params);
        self.settle();
    }

    /// Types a key, as the page's scripts name it.
    pub fn key(&mut self, key: &str) {
        for kind in ["rawKeyDown", "keyUp"] {
            self.call("Input.dispatchKeyEvent", json!({"type": kind, "key": key}));
        }
        self.settle();
    }

    /// Fingers at these points; none lifts them.
    pub fn touch(&mut self, kind: &str, points: &[[f64; 2]]) {
        let points: Vec<Value> = points.iter().map(|[x, y]| json!({"x": x, "y": y})).collect();
        self.call("Input.dispatchTouchEvent", json!({"type": kind, "touchPoints": points}));
    }

    /// What the system prefers: `dark` or `light`.
    pub fn prefer(&mut self, scheme: &str) {
        let features = json!([{"name": "prefers-color-scheme", "value": scheme}]);
        self.call("Emulation.setEmulatedMedia", json!({"features": features}));
        self.settle();
    }

    /// Keeps a picture of the page in the folder that `NEARMISS_SCREENSHOTS` names, for people to look at.
    pub fn picture(&mut self, name: &str) {
        if let Some(folder) = env::var_os("NEARMISS_SCREENSHOTS") {
            self.picture_in(Path::new(&folder), name);
        }
    }

    /// Keeps a picture of the page in a folder.
    pub fn picture_in(&mut self, folder: &Path, name: &str) {
        let data = self.call("Page.captureScreenshot", json!({"format": "png", "captureBeyondViewport": false}));
        let bytes = unpack(data["data"].as_str().unwrap_or_default());
        fs::write(folder.join(format!("{name}.png")), bytes).expect("the picture can be written");
    }

    /// Errors on the page so far, exceptions and messages to the console alike; forgets them.
    pub fn complaints(&mut self) -> Vec<String> {
        self.eval("1");
        std::mem::take(&mut self.complaints)
    }
}

impl Drop for Browser {
    fn drop(&mut self) {
        self.session = None;
        let _ = self.commands.write_all(b"{\"id\":0,\"method\":\"Browser.close\"}\0");
        let end = Instant::now() + Duration::from_secs(5);
        while Instant::now() < end {
            if matches!(self.process.try_wait(), Ok(Some(_))) {
                return;
            }
            thread::sleep(Duration::from_millis(20));
        }
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

/// Messages as they come, read by a thread of their own so that waiting can end.
fn listen(pipe: File) -> Receiver<Value> {
    let (sender, receiver) = channel();
    thread::spawn(move || {
        for message in BufReader::new(pipe).split(0) {
            let Ok(message) = message else { return };
            let message = serde_json::from_slice(&message).unwrap_or(Value::Null);
            if sender.send(message).is_err() {
                return;
            }
        }
    });
    receiver
}

/// Bytes from base 64.
fn unpack(text: &str) -> Vec<u8> {
    let (mut bytes, mut bits, mut held) = (Vec::new(), 0u32, 0);
    for letter in text.bytes() {
        let value = match letter {
            b'A'..=b'Z' => letter - b'A',
            b'a'..=b'z' => letter - b'a' + 26,
            b'0'..=b'9' => letter - b'0' + 52,
            b'+' => 62,
            b'/' => 63,
            _ => break,
        };
        (bits, held) = (bits << 6 | u32::from(value), held + 6);
        if held >= 8 {
            held -= 8;
            bytes.push((bits >> held) as u8);
            bits &= (1 << held) - 1;
        }
    }
    bytes
}
