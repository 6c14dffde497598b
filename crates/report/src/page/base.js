// What all pages share: finding and making elements, and the choice between dark and light.

const byId = (id) => document.getElementById(id);

// An element with attributes and with children that are elements or text; text is never markup.
const element = (tag, attributes = {}, ...children) => {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  made.append(...children);
  return made;
};

// Text and code in turns, text first, as elements.
const spoken = (parts) => parts.map((part, i) => (i % 2 ? element("code", {}, part) : part));

const isDark = () => {
  const chosen = document.documentElement.dataset.theme;
  return chosen ? chosen === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
};

// Calls back whenever the colours change: by the button, by the system, and around printing, which is always light.
const watchTheme = (button, changed) => {
  const root = document.documentElement;
  const refresh = () => {
    button.textContent = isDark() ? "Light" : "Dark";
    changed();
  };
  const choose = (theme) => {
    if (theme) root.dataset.theme = theme;
    else delete root.dataset.theme;
    refresh();
  };
  button.addEventListener("click", () => choose(isDark() ? "light" : "dark"));
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", refresh);
  let before;
  addEventListener("beforeprint", () => {
    before = root.dataset.theme;
    choose("light");
  });
  addEventListener("afterprint", () => choose(before));
  refresh();
};
