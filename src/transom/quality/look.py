"""How pages look, by day and by night: as the console does. The names of colours are classes."""

STYLE = """
.transom{--ink:#1b2129;--soft:#566270;--rule:#dfe4ea;--ground:#f4f6f8;--panel:#fff;--blue:#0b63ce;--red:#c4232f;--green:#187a37;
--grey:#7f8994;font:14px/1.5 system-ui,-apple-system,"Segoe UI",sans-serif;color:var(--ink);background:var(--ground);
max-width:820px;padding:4px 16px 20px;font-variant-numeric:tabular-nums}
@media (prefers-color-scheme:dark){.transom{--ink:#e7ecf2;--soft:#9aa5b1;--rule:#2b323b;--ground:#0b0f14;--panel:#12171e;
--blue:#58a2ff;--red:#ff6a60;--green:#45c463}}
.transom h2{font-size:19px;letter-spacing:-.01em;margin:20px 0 2px}.transom h3{font-size:14px;font-weight:650;margin:18px 0 6px}
.transom .ran{color:var(--soft);font-size:13px;margin:0 0 12px}
.transom .says{display:flex;gap:10px;margin:0 0 12px;padding:8px 14px;background:var(--panel);border:1px solid var(--rule);
border-left:4px solid var(--grey);border-radius:6px}
.transom .says::before{content:"i";flex:none;width:18px;height:18px;margin-top:1px;border-radius:50%;text-align:center;
font:700 12px/18px system-ui,sans-serif;color:var(--panel);background:var(--grey)}
.transom .says.good{border-left-color:var(--green)}.transom .says.good::before{content:"\\2713";background:var(--green)}
.transom .says.bad{border-left-color:var(--red)}.transom .says.bad::before{content:"\\00d7";background:var(--red)}
.transom details,.transom figure,.transom table{background:var(--panel);border:1px solid var(--rule);border-radius:8px}
.transom details{padding:8px 14px}.transom summary{cursor:pointer;font-weight:650}
.transom pre{margin:8px 0 2px;font:12.5px/1.55 ui-monospace,Menlo,monospace;white-space:pre-wrap;overflow-wrap:anywhere}
.transom figure{margin:12px 0 0;padding:10px 14px}
.transom figcaption{display:flex;flex-wrap:wrap;gap:2px 14px;align-items:baseline;margin-bottom:4px}
.transom svg{width:100%;height:auto;display:block}
.transom text{font-size:11px;fill:var(--soft)}
.transom .grid{stroke:var(--rule);stroke-width:1}
.transom .line{fill:none;stroke:currentColor;stroke-width:1.7}.transom circle.line{fill:currentColor}
.transom .dashed{stroke-dasharray:5 4}
.transom .blue{color:var(--blue)}.transom .red{color:var(--red)}
.transom .green{color:var(--green)}.transom .grey{color:var(--grey)}
.transom .bar{fill:var(--blue)}
.transom .what,.transom .key{font-size:12.5px}.transom .what{color:var(--soft)}
.transom .key::before{content:"\\2014\\00a0"}.transom .key.dashed::before{content:"\\2010\\2010\\00a0"}
.transom table{border-collapse:separate;border-spacing:0;width:100%;color:inherit}
.transom th,.transom td{border-bottom:1px solid var(--rule);padding:4px 14px;text-align:left;font-weight:normal}
.transom tr:last-child :is(th,td){border-bottom:0}
.transom td{text-align:right}.transom th{color:var(--soft)}
"""

PAGE = """\
<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>{title}</title>
<style>{style}
body{{margin:0;background:#f4f6f8}}@media (prefers-color-scheme:dark){{body{{background:#0b0f14}}}}.transom{{margin:0 auto}}
</style>
</head>
<body>
<main class="transom">
{body}
</main>
</body>
</html>
"""
