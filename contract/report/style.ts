/** @module The look of the HTML report, in the page itself so that the page can be mailed about. */

/** A style sheet, for light and dark. */
export const STYLE = `
:root { color-scheme: light dark; --ink: #1b211f; --ground: #fdfdfb; --line: #d5dad3;
  --good: #d9efe3; --bad: #f8d9d5; --mild: #f1edd2; --raised: #f2f3ef; }
@media (prefers-color-scheme: dark) { :root { --ink: #e7ebe8; --ground: #121715; --line: #37423d;
  --good: #17402f; --bad: #5a221d; --mild: #47421f; --raised: #1c2320; } }
body { margin: 0; font: 16px/1.5 system-ui, sans-serif; color: var(--ink); background: var(--ground); }
header, main { max-width: 80rem; margin: auto; padding: 1rem 1.5rem; }
header { margin-block: 1.5rem; border-radius: 10px; }
header h1 { margin: 0; font-size: 2rem; }
header p { margin: .25rem 0 0; }
.held, .seen { background: var(--good); }
.violated, .unseen { background: var(--bad); }
.exempt { background: var(--mild); }
h2 { margin: 2.5rem 0 .75rem; font-size: 1.25rem; }
table { border-collapse: collapse; width: 100%; font-size: .9375rem; }
th, td { padding: .35rem .75rem; border-bottom: 1px solid var(--line); text-align: left;
  vertical-align: top; }
th[scope=row] { font-weight: 600; white-space: nowrap; }
.n { text-align: right; font-variant-numeric: tabular-nums; }
.wide { overflow-x: auto; }
details { border: 1px solid var(--line); border-radius: 8px; margin-block: .75rem; padding: .5rem 1rem; }
summary { cursor: pointer; }
small { opacity: .75; }
.pair { display: grid; gap: 1rem; grid-template-columns: repeat(auto-fit, minmax(min(100%, 26rem), 1fr)); }
pre { max-height: 24rem; overflow: auto; margin: .5rem 0; padding: .75rem 1rem; border-radius: 6px; background: var(--raised);
  font: .8125rem/1.45 ui-monospace, monospace; white-space: pre-wrap; overflow-wrap: anywhere; }
`;
