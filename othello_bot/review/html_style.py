"""The style of a review's page, for light and dark screens and for paper; it loads nothing."""

from __future__ import annotations

from typing import Final

STYLE: Final = """
:root {
  color-scheme: light dark;
  --page: #f6f5f1; --card: #ffffff; --ink: #22252a; --soft: #6a7078; --hair: #dedbd2; --accent: #1d7a4f;
  --felt: #2f8f5b; --frame: #24593d; --rule: #1f6f45; --bad: #d8432f; --good: #ffd54a; --line: #1d7a4f;
  --area: #1d7a4f26; --shade: #00000009; --warn: #b7791f;
}
@media (prefers-color-scheme: dark) {
  :root {
    --page: #15181b; --card: #1e2226; --ink: #e6e7e8; --soft: #9aa2aa; --hair: #32383e; --accent: #58c48d;
    --felt: #27774c; --frame: #123522; --rule: #175434; --bad: #ff6b57; --good: #ffd54a; --line: #58c48d;
    --area: #58c48d2b; --shade: #ffffff0a; --warn: #e5b454;
  }
}
* { box-sizing: border-box }
body { margin: 0; background: var(--page); color: var(--ink); font: 15px/1.5 system-ui, sans-serif }
main { max-width: 1060px; margin: 0 auto; padding: 28px 20px 60px }
h1 { font-size: 1.7rem; margin: 0 0 2px; letter-spacing: -.01em }
h2 { font-size: 1.2rem; margin: 0 }
p.about { color: var(--soft); margin: 0 0 22px }
article, .players { background: var(--card); border: 1px solid var(--hair); border-radius: 14px; padding: 20px 22px;
  margin: 0 0 22px }
.players { overflow-x: auto }
table { border-collapse: collapse; width: 100%; font-variant-numeric: tabular-nums }
th { text-align: right; font-weight: 600; color: var(--soft); font-size: .82rem; padding: 4px 10px }
td { text-align: right; padding: 6px 10px; border-top: 1px solid var(--hair) }
th:first-child, td:first-child { text-align: left; padding-left: 0 }
td:first-child { font-weight: 600 }
header.game { display: flex; flex-wrap: wrap; gap: 4px 14px; align-items: baseline; margin-bottom: 12px }
header.game span { color: var(--soft) }
header.game .result { color: var(--ink); font-weight: 700; font-variant-numeric: tabular-nums }
.sides { display: grid; grid-template-columns: repeat(auto-fit, minmax(280px, 1fr)); gap: 10px 26px;
  margin-bottom: 14px }
.side { display: flex; flex-wrap: wrap; gap: 2px 14px; align-items: baseline }
.side b { font-size: 1.25rem; font-variant-numeric: tabular-nums }
.side span { color: var(--soft); font-size: .88rem }
.side i, figcaption i { display: inline-block; width: .8em; height: .8em; border-radius: 50%;
  border: 1px solid var(--soft) }
i.black { background: #16181a } i.white { background: #fff }
.slips { display: grid; grid-template-columns: repeat(auto-fill, minmax(188px, 1fr)); gap: 18px; margin-top: 16px }
figure { margin: 0 } figcaption { font-size: .86rem; margin-top: 6px; line-height: 1.4 }
figcaption .lost { font-weight: 700 } .inaccuracy { color: var(--soft) } .mistake { color: var(--warn) }
.blunder { color: var(--bad) } figcaption code { color: var(--soft); font: .8rem/1.4 ui-monospace, monospace }
.moves { margin: 14px 0 0; color: var(--soft); font: .82rem/1.5 ui-monospace, monospace; overflow-wrap: anywhere }
svg { display: block; width: 100%; height: auto } svg.board { max-width: 240px }
.frame { fill: var(--frame) } .felt { fill: var(--felt) } .rule { stroke: var(--rule); stroke-width: .6; fill: none }
.star { fill: var(--rule) } #grid .mark { fill: #cfe6d8; font-size: 5px }
.mark { fill: var(--soft); font: 10px system-ui, sans-serif; text-anchor: middle }
.mark[text-anchor=end] { text-anchor: end }
.disc.black { fill: #16181a } .disc.white { fill: #f7f7f4 }
.better { fill: none; stroke: var(--good); stroke-width: 2 }
.worse { stroke: #ff5a44; stroke-width: 2.2; stroke-linecap: round; fill: none }
.phase { fill: none } .phase.midgame { fill: var(--shade) }
.tick { stroke: var(--hair); stroke-width: .7 } .axis { stroke: var(--soft); stroke-width: .9 }
.area { fill: var(--area) } .line { fill: none; stroke: var(--line); stroke-width: 2; stroke-linejoin: round }
.slip.black { fill: #16181a } .slip.white { fill: #fff } .slip { stroke: var(--bad); stroke-width: 1.8 }
@media (max-width: 480px) { main { padding: 16px 10px 40px } article, .players { padding: 14px 12px } }
@media print { body { background: none } article { break-inside: avoid } }
"""
