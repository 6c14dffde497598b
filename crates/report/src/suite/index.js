// The index page of a suite: which tasks are shown, and the explanation that a link leads to.

watchTheme(byId("theme"), () => {});

const tasks = [...document.querySelectorAll(".task")];
const choices = [...document.querySelectorAll("[data-show]")];
let shown = "";

const refresh = () => {
  const wanted = byId("wanted").value.toLowerCase();
  for (const task of tasks) {
    const name = task.querySelector("a, summary").textContent.toLowerCase();
    task.hidden = (shown !== "" && !task.classList.contains(shown)) || !name.includes(wanted);
  }
  for (const choice of choices) choice.setAttribute("aria-pressed", String(choice.dataset.show === shown));
};

for (const choice of choices) {
  choice.addEventListener("click", () => {
    shown = choice.dataset.show;
    refresh();
  });
}
byId("wanted").addEventListener("input", refresh);

byId("unfold").addEventListener("click", (event) => {
  const open = event.currentTarget.getAttribute("aria-pressed") !== "true";
  event.currentTarget.setAttribute("aria-pressed", String(open));
  for (const task of tasks) if (task.tagName === "DETAILS" && !task.hidden) task.open = open;
});

const follow = () => {
  const target = location.hash.length > 1 ? byId(location.hash.slice(1)) : null;
  if (!target) return;
  target.hidden = false;
  target.open = true;
  target.scrollIntoView();
};
addEventListener("hashchange", follow);
// A link that was followed once folds nothing out the second time, unless it is clicked.
for (const link of document.querySelectorAll('a[href^="#t"]')) link.addEventListener("click", () => setTimeout(follow));
follow();

// For the tests: the page is ready.
window.nearmiss = { tasks };
