// The window on the trace: cycles to pixels and back. A cycle is a column: its value spans [cycle, cycle + 1).

const WIDEST = 160;
const FIT_WIDEST = 72;

const clamp = (value, low, high) => Math.max(low, Math.min(high, value));

// `from` is the cycle at the left edge, `scale` the pixels per cycle.
const newView = (cycles) => ({ cycles, from: 0, scale: 1, width: 1 });

const xOf = (view, cycle) => (cycle - view.from) * view.scale;
const cycleOf = (view, x) => view.from + x / view.scale;
const columnOf = (view, x) => clamp(Math.floor(cycleOf(view, x)), 0, Math.max(0, view.cycles - 1));
const fitScale = (view) => Math.min(FIT_WIDEST, view.width / Math.max(1, view.cycles));

const settle = (view) => {
  view.scale = clamp(view.scale, fitScale(view), WIDEST);
  view.from = clamp(view.from, 0, Math.max(0, view.cycles - view.width / view.scale));
};

const fit = (view) => {
  view.scale = fitScale(view);
  view.from = 0;
};

// Zooms by a factor such that what is at `x` stays there.
const zoom = (view, factor, x) => {
  const cycle = cycleOf(view, x);
  view.scale = clamp(view.scale * factor, fitScale(view), WIDEST);
  view.from = cycle - x / view.scale;
  settle(view);
};

const pan = (view, pixels) => {
  view.from += pixels / view.scale;
  settle(view);
};

const center = (view, cycle) => {
  view.from = cycle + 0.5 - view.width / view.scale / 2;
  settle(view);
};

// Moves as little as it takes to see a cycle with room around it, and zooms in where a cycle would be a speck.
const reveal = (view, cycle) => {
  if (view.scale < 8) {
    view.scale = Math.min(24, WIDEST);
    center(view, cycle);
    return;
  }
  const x = xOf(view, cycle + 0.5), margin = Math.min(view.width / 4, 90);
  if (x < margin || x > view.width - margin) center(view, cycle);
};

// Shows the cycles from `first` to `last` with a margin; all of the trace where that is readable.
const frame = (view, first, last) => {
  fit(view);
  if (view.scale >= 14) return;
  const cycles = Math.max(last - first + 1, 1);
  const margin = Math.max(4, cycles * 0.08);
  view.scale = clamp(view.width / (cycles + 2 * margin), fitScale(view), 36);
  view.from = (first + last + 1) / 2 - view.width / view.scale / 2;
  settle(view);
};

// The distance between marks on the ruler: 1, 2 or 5 times a power of ten, at least so many pixels apart.
const markStep = (view, apart) => {
  let step = 1;
  for (let i = 0; step * view.scale < apart; i++) step *= [2, 2.5, 2][i % 3];
  return step;
};

// Calls `each(x, end, i)` for every visible stretch without a change, i its change, and `each(x, end, -1)` for stretches
// of pixels that each hold several changes. What it costs depends on the pixels and not on the trace.
const eachStretch = (view, track, each) => {
  const { at } = track, ends = Math.min(view.cycles, cycleOf(view, view.width));
  let i = changeAt(track, Math.max(0, view.from));
  if (i < 0) return;
  let busy = -1;
  let x = Math.max(xOf(view, at[i]), xOf(view, 0), -WIDEST * 2);
  while (i < at.length) {
    const next = i + 1 < at.length ? at[i + 1] : view.cycles;
    const end = xOf(view, next);
    if (end - x >= 1 || i + 1 >= at.length || next >= ends) {
      if (busy >= 0) {
        each(busy, x, -1);
        busy = -1;
      }
      each(x, Math.min(end, view.width + WIDEST * 2), i);
      if (next >= ends) return;
      x = end;
      i++;
    } else {
      // Several changes within this pixel: on to the last change before the next one.
      if (busy < 0) busy = x;
      x = Math.max(x, end) < x + 1 ? x + 1 : end;
      i = Math.max(i + 1, changeAt(track, cycleOf(view, x)));
      if (at[i] >= ends) break;
    }
  }
  if (busy >= 0) each(busy, Math.min(x, view.width), -1);
};
