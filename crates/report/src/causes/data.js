// Values of signals, unpacked one signal at a time: a track is the cycles at which something changes and what it is then.

// Decoded tracks are dropped, oldest first, beyond so many changes (five bytes each or more).
const KEPT_CHANGES = 12e6;

const bytesOf = (base64) => {
  if (Uint8Array.fromBase64) return Uint8Array.fromBase64(base64);
  const letters = atob(base64);
  const bytes = new Uint8Array(letters.length);
  for (let i = 0; i < bytes.length; i++) bytes[i] = letters.charCodeAt(i);
  return bytes;
};

// Calls `each` with every number; seven bits a byte, lowest first. Products instead of shifts: times exceed 32 bits.
const eachNumber = (base64, each) => {
  const bytes = bytesOf(base64);
  for (let i = 0, n = 0; i < bytes.length; n++) {
    let value = 0, place = 1, byte;
    do {
      byte = bytes[i++];
      value += (byte & 127) * place;
      place *= 128;
    } while (byte > 127);
    each(value, n);
  }
};

const running = (base64, into) => {
  let sum = 0;
  eachNumber(base64, (step, i) => { into[i] = sum += step; });
  return into;
};

// States of a bit: 0, 1, 2 for z, 3 for x.
const BIT_NAMES = ["0", "1", "z", "x"];

const unpackRuns = ({ n, runs }) => {
  const at = new Uint32Array(n), state = new Uint8Array(n);
  let cycle = 0;
  eachNumber(runs, (run, i) => {
    cycle += Math.floor(run / 4);
    at[i] = cycle;
    state[i] = run % 4;
  });
  return { at, state };
};

const unpackMap = ({ n, map, unknown }, cycles) => {
  const at = new Uint32Array(n), state = new Uint8Array(n);
  const values = bytesOf(map), unknowns = unknown ? bytesOf(unknown) : null;
  let last = -1, found = 0;
  for (let cycle = 0; cycle < cycles; cycle++) {
    const byte = cycle >> 3, bit = cycle & 7;
    const now = (values[byte] >> bit & 1) | (unknowns ? (unknowns[byte] >> bit & 1) << 1 : 0);
    if (now !== last) {
      at[found] = cycle;
      state[found++] = last = now;
    }
  }
  return { at, state };
};

// `text(i)` is the i-th value as text, `doubt(i)` is "x" or "z" where it is not known.
const unpackBits = (packed, cycles) => {
  const { at, state } = packed.runs === undefined ? unpackMap(packed, cycles) : unpackRuns(packed);
  return { at, state, text: (i) => BIT_NAMES[state[i]], doubt: (i) => (state[i] > 1 ? BIT_NAMES[state[i]] : "") };
};

const unpackBus = (packed) => {
  const at = running(packed.at, new Uint32Array(packed.n));
  if (packed.steps !== undefined) {
    const values = new Float64Array(packed.n);
    let value = 0;
    eachNumber(packed.steps, (step, i) => { values[i] = value += step % 2 ? -(step + 1) / 2 : step / 2; });
    return { at, text: (i) => String(values[i]), doubt: () => "" };
  }
  const index = new Uint32Array(packed.n);
  eachNumber(packed.index, (place, i) => { index[i] = place; });
  const doubts = packed.names.map((name) => (name[0] === "=" ? "" : name[0]));
  const texts = packed.names.map((name) => name.slice(1));
  return { at, text: (i) => texts[index[i]], doubt: (i) => doubts[index[i]] };
};

// The last change at or before a cycle.
const changeAt = (track, cycle) => {
  let low = 0, high = track.at.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (track.at[middle] <= cycle) low = middle + 1;
    else high = middle;
  }
  return low - 1;
};

// Tracks by key, unpacked when first asked for.
const trackStore = (cycles) => {
  const tracks = new Map();
  let kept = 0;
  return (key, packed, isBits) => {
    let track = tracks.get(key);
    if (track) tracks.delete(key);
    else {
      track = isBits ? unpackBits(packed, cycles) : unpackBus(packed);
      kept += track.at.length;
    }
    tracks.set(key, track);
    for (const [old, dropped] of tracks) {
      if (kept <= KEPT_CHANGES || old === key) break;
      tracks.delete(old);
      kept -= dropped.at.length;
    }
    return track;
  };
};

// A decimal number of so many bits in hexadecimal; other texts (names, unknown bits) stay.
const hexadecimal = (text, width) => {
  if (!/^-?\d+$/.test(text)) return text;
  const digits = BigInt.asUintN(width, BigInt(text)).toString(16);
  return `0x${digits.padStart(Math.ceil(width / 4), "0")}`;
};

// The time in the file of a cycle, or nothing.
const clock = (times) => {
  if (!times) return () => undefined;
  if (times.deltas === undefined) return (cycle) => times.first + cycle * times.step;
  let unpacked;
  return (cycle) => {
    unpacked ??= running(times.deltas, []);
    return unpacked[cycle];
  };
};

// A time with its unit: units are such as "1ns" or "100ps".
const timeText = (time, unit) => {
  const parts = /^(\d+)\s*([a-z]+)$/.exec(unit ?? "");
  if (!parts) return `time ${time.toLocaleString("en")}`;
  return `${(time * Number(parts[1])).toLocaleString("en")} ${parts[2]}`;
};
