// Paints the waveform: ruler, marks, signals, lanes, dots. Everything is in CSS pixels of the canvas.

const RULER = 46;
const SIGNAL_ROW = 34;
const LANE_ROW = 24;
const HEADING_ROW = 26;
const DOT = 5;

const COLOURS = ["paper", "sheet", "line", "faint", "ink", "soft", "accent", "cause", "cause-tint", "wave", "bus", "unknown",
  "undriven", "lane-false", "lane-matters", "loop", "loop-ink", "cursor"];

const readColours = () => {
  const style = getComputedStyle(document.documentElement);
  const colours = Object.fromEntries(COLOURS.map((name) => [name, style.getPropertyValue(`--${name}`).trim()]));
  colours.mono = style.getPropertyValue("--mono");
  colours.sans = style.getPropertyValue("--sans");
  return colours;
};

// Makes the canvas as fine as the screen; returns its context in CSS pixels.
const prepare = (canvas) => {
  const ratio = window.devicePixelRatio || 1;
  const width = Math.max(1, Math.round(canvas.clientWidth * ratio));
  const height = Math.max(1, Math.round(canvas.clientHeight * ratio));
  if (canvas.width !== width) canvas.width = width;
  if (canvas.height !== height) canvas.height = height;
  const pen = canvas.getContext("2d", { willReadFrequently: false });
  pen.setTransform(ratio, 0, 0, ratio, 0, 0);
  pen.clearRect(0, 0, canvas.clientWidth, canvas.clientHeight);
  return pen;
};

const crisp = (y) => Math.round(y) + 0.5;

const vertical = (pen, x, top, bottom) => {
  pen.beginPath();
  pen.moveTo(crisp(x), top);
  pen.lineTo(crisp(x), bottom);
  pen.stroke();
};

// Where the line of a signal is within its row.
const levels = (top) => ({ high: top + 7, middle: top + SIGNAL_ROW / 2, low: top + SIGNAL_ROW - 7 });

// Diagonal lines within a box; they do not move against the trace when it is panned.
const hatch = (pen, x, y, width, height, origin) => {
  pen.save();
  pen.beginPath();
  pen.rect(x, y, width, height);
  pen.clip();
  pen.beginPath();
  const first = x - height - ((((x - height - origin) % 6) + 6) % 6);
  for (let at = first; at < x + width; at += 6) {
    pen.moveTo(at, y + height);
    pen.lineTo(at + height, y);
  }
  pen.stroke();
  pen.restore();
};

const drawUnknown = (pen, colours, view, x, end, top) => {
  const { high, low } = levels(top);
  const left = Math.max(x, -4), right = Math.min(end, view.width + 4);
  pen.save();
  pen.fillStyle = pen.strokeStyle = colours.unknown;
  pen.globalAlpha = 0.14;
  pen.fillRect(left, high, right - left, low - high);
  pen.globalAlpha = 0.55;
  pen.lineWidth = 1;
  if (right - left > 3) hatch(pen, left, high, right - left, low - high, -view.from * view.scale);
  pen.globalAlpha = 1;
  pen.strokeRect(crisp(left - 0.5), crisp(high - 0.5), right - left, low - high);
  pen.restore();
};

// Boxes between the levels of a row, all in one colour; `boxes` is left edges and right edges in turns.
const drawBoxes = (pen, boxes, top, colour, alpha) => {
  const { high, low } = levels(top);
  pen.fillStyle = colour;
  pen.globalAlpha = alpha;
  for (let i = 0; i < boxes.length; i += 2) pen.fillRect(boxes[i], high, Math.max(1, boxes[i + 1] - boxes[i]), low - high + 1);
  pen.globalAlpha = 1;
};

const drawBits = (pen, colours, view, track, top) => {
  const { high, middle, low } = levels(top);
  const heights = [crisp(low), crisp(high), crisp(middle)];
  // Paths of their own: boxes of unknown values are painted in between.
  const driven = new Path2D(), undriven = new Path2D();
  const busy = [], ones = [];
  let before;
  eachStretch(view, track, (x, end, i) => {
    if (i < 0) {
      busy.push(x, end);
      before = undefined;
      return;
    }
    const state = track.state[i];
    if (state === 3) {
      drawUnknown(pen, colours, view, x, end, top);
      before = undefined;
      return;
    }
    const y = heights[state];
    if (state === 1) ones.push(x, end);
    const line = state === 2 ? undriven : driven;
    line.moveTo(crisp(Math.max(x, -4)), before ?? y);
    line.lineTo(crisp(Math.max(x, -4)), y);
    line.lineTo(end < view.width ? crisp(end) : end, y);
    before = y;
  });
  drawBoxes(pen, busy, top, colours.wave, 0.5);
  drawBoxes(pen, ones, top, colours.wave, 0.1);
  pen.lineWidth = 1.5;
  pen.strokeStyle = colours.undriven;
  pen.stroke(undriven);
  pen.strokeStyle = colours.wave;
  pen.stroke(driven);
};

// A text that fits a width, shortened in the end; empty where not even one letter would be left.
const shortened = (text, width, letter) => {
  const room = Math.floor(width / letter);
  if (text.length <= room) return text;
  return room < 2 ? "" : `${text.slice(0, room - 1)}…`;
};

const drawBus = (pen, colours, view, track, top, written) => {
  const { high, middle, low } = levels(top);
  pen.font = `12px ${colours.mono}`;
  pen.textBaseline = "middle";
  pen.textAlign = "center";
  const letter = pen.measureText("0").width;
  eachStretch(view, track, (x, end, i) => {
    if (i < 0) {
      drawBoxes(pen, [x, end], top, colours.bus, 0.5);
      return;
    }
    const doubt = track.doubt(i);
    const slope = Math.min(4, (end - x) / 2);
    if (doubt === "x") drawUnknown(pen, colours, view, x + slope / 2, end - slope / 2, top);
    const colour = doubt === "x" ? colours.unknown : doubt === "z" ? colours.undriven : colours.bus;
    pen.strokeStyle = colour;
    pen.lineWidth = 1.25;
    pen.beginPath();
    if (doubt === "z") {
      pen.moveTo(x, crisp(middle));
      pen.lineTo(end, crisp(middle));
    } else if (!doubt) {
      pen.moveTo(x, crisp(middle));
      pen.lineTo(x + slope, crisp(high));
      pen.lineTo(end - slope, crisp(high));
      pen.lineTo(end, crisp(middle));
      pen.lineTo(end - slope, crisp(low));
      pen.lineTo(x + slope, crisp(low));
      pen.closePath();
      pen.globalAlpha = 0.07;
      pen.fillStyle = colour;
      pen.fill();
      pen.globalAlpha = 1;
    }
    pen.stroke();
    const left = Math.max(x, 0), right = Math.min(end, view.width);
    const label = shortened(written(track.text(i)), right - left - 10, letter);
    if (!label) return;
    const centre = (left + right) / 2;
    if (doubt) {
      pen.fillStyle = colours.paper;
      pen.fillRect(centre - (label.length * letter) / 2 - 2, middle - 7, label.length * letter + 4, 14);
    }
    pen.fillStyle = doubt ? colour : colours.ink;
    pen.fillText(label, centre, middle + 1);
  });
};

// Where a part is false; what matters is never lost between pixels.
const drawLane = (pen, view, track, top, colour) => {
  pen.fillStyle = colour;
  eachStretch(view, track, (x, end, i) => {
    if (i >= 0 && track.state[i] !== 1) return;
    const gap = view.scale > 10 ? 1 : 0;
    pen.fillRect(x + gap, top + 6, Math.max(1.5, end - x - 2 * gap), LANE_ROW - 12);
  });
};

const drawRuler = (pen, colours, view) => {
  pen.fillStyle = colours.sheet;
  pen.fillRect(0, 0, view.width, RULER);
  pen.strokeStyle = colours.line;
  pen.lineWidth = 1;
  pen.beginPath();
  pen.moveTo(0, RULER - 0.5);
  pen.lineTo(view.width, RULER - 0.5);
  pen.stroke();
  const step = markStep(view, 26 + 7 * String(view.cycles).length);
  pen.font = `11.5px ${colours.sans}`;
  pen.fillStyle = colours.soft;
  pen.textBaseline = "alphabetic";
  pen.textAlign = "center";
  const last = Math.min(view.cycles - 1, cycleOf(view, view.width));
  for (let cycle = Math.max(0, Math.floor(view.from / step) * step); cycle <= last; cycle += step) {
    const x = xOf(view, cycle + 0.5);
    const label = cycle.toLocaleString("en");
    const half = pen.measureText(label).width / 2;
    if (x < 0 || (x > view.width - half && cycle)) continue;
    pen.fillText(label, Math.max(x, half + 3), RULER - 9);
    pen.beginPath();
    pen.moveTo(crisp(x - 0.5), RULER - 5);
    pen.lineTo(crisp(x - 0.5), RULER - 1);
    pen.stroke();
  }
};

// Borders of cycles, where they are wide enough to be of use.
const drawGrid = (pen, colours, view, bottom) => {
  const step = markStep(view, 14);
  pen.strokeStyle = colours.faint;
  pen.lineWidth = 1;
  const last = Math.min(view.cycles, cycleOf(view, view.width));
  for (let cycle = Math.max(0, Math.floor(view.from / step) * step); cycle <= last; cycle += step) {
    vertical(pen, xOf(view, cycle), RULER, bottom);
  }
};

// A flag in the upper half of the ruler; `taken` holds the stretches that others have.
const drawFlag = (pen, colours, view, x, text, colour, taken) => {
  pen.font = `600 11.5px ${colours.sans}`;
  pen.textBaseline = "middle";
  const width = pen.measureText(text).width + 12;
  if (x < -width || x > view.width + width) return;
  let left = clamp(x - width / 2, 2, Math.max(2, view.width - width - 2));
  const clash = () => taken.find(([from, to]) => left < to + 4 && left + width > from - 4);
  for (let tries = 0; clash() && tries < 6; tries++) left = clash()[1] + 6;
  if (left + width > view.width - 2) {
    left = view.width - width - 2;
    for (let tries = 0; clash() && tries < 6; tries++) left = clash()[0] - width - 6;
  }
  if (left < 0) return;
  taken.push([left, left + width]);
  pen.fillStyle = colour;
  pen.beginPath();
  pen.roundRect(left, 4, width, 18, 4);
  pen.fill();
  pen.fillStyle = colours.paper;
  pen.textAlign = "left";
  pen.fillText(text, left + 6, 13.5);
};

// The stretch that is repeated for ever, with an arrow from its end back to its start.
const drawLoop = (pen, colours, view, start, bottom) => {
  const left = xOf(view, start), right = xOf(view, view.cycles);
  pen.fillStyle = colours.loop;
  pen.fillRect(Math.max(left, 0), RULER, Math.min(right, view.width) - Math.max(left, 0), bottom - RULER);
  pen.strokeStyle = pen.fillStyle = colours["loop-ink"];
  pen.lineWidth = 1.25;
  pen.setLineDash([4, 3]);
  vertical(pen, left, 24, bottom);
  vertical(pen, right - 1, 24, bottom);
  pen.setLineDash([]);
  pen.beginPath();
  pen.moveTo(right - 1, 25.5);
  pen.lineTo(left + 2, 25.5);
  pen.stroke();
  pen.beginPath();
  pen.moveTo(left + 6, 25.5);
  pen.lineTo(left + 13, 22);
  pen.lineTo(left + 13, 29);
  pen.closePath();
  pen.fill();
};

const drawDot = (pen, colours, x, y, full) => {
  pen.beginPath();
  pen.arc(x, y, DOT + 1.5, 0, 2 * Math.PI);
  pen.fillStyle = colours.paper;
  pen.fill();
  pen.beginPath();
  pen.arc(x, y, full ? DOT : DOT - 1, 0, 2 * Math.PI);
  if (full) {
    pen.fillStyle = colours.cause;
    pen.fill();
  } else {
    pen.strokeStyle = colours.cause;
    pen.lineWidth = 2;
    pen.stroke();
  }
};

// The whole trace in a strip: where the causes are, and which part the window shows.
const drawOverview = (pen, colours, view, height, scene) => {
  const cycles = Math.max(1, view.cycles), width = scene.overviewWidth;
  const x = (cycle) => (cycle / cycles) * width;
  pen.fillStyle = colours.sheet;
  pen.fillRect(0, 0, width, height);
  if (scene.loop !== null) {
    pen.fillStyle = colours.loop;
    pen.fillRect(x(scene.loop), 0, width - x(scene.loop), height);
  }
  const left = x(view.from), right = x(Math.min(cycles, cycleOf(view, view.width)));
  pen.fillStyle = colours.paper;
  pen.fillRect(left, 0, Math.max(2, right - left), height);
  pen.strokeStyle = colours.soft;
  pen.lineWidth = 1;
  pen.strokeRect(crisp(left), 0.5, Math.max(2, right - left - 1), height - 1);
  if (scene.failure) {
    pen.fillStyle = colours["cause-tint"];
    pen.fillRect(x(scene.failure.at), 0, Math.max(2, x(1)), height);
  }
  pen.fillStyle = colours.cause;
  let last = -9;
  for (const cycle of scene.causeCycles) {
    const at = x(cycle + 0.5);
    if (at - last < 1.5) continue;
    pen.fillRect(at - 1, 4, 2, height - 8);
    last = at;
  }
};
