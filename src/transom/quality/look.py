"""How pages look, by day and by night. The names of colours are classes."""

STYLE = """
.transom{--ink:#1f2328;--soft:#59636e;--rule:#d8dee4;--ground:#fff;--blue:#0969da;--red:#cf222e;--green:#1a7f37;--grey:#8c959f;
font:14px/1.45 system-ui,sans-serif;color:var(--ink);background:var(--ground);max-width:720px;padding:4px 12px}
@media (prefers-color-scheme:dark){.transom{--ink:#e6edf3;--soft:#9198a1;--rule:#30363d;--ground:#0d1117;--blue:#4493f8;
--red:#f85149;--green:#3fb950;--grey:#7d8590}}
.transom h2{font-size:17px;margin:18px 0 4px}
.transom .good{color:var(--green)}.transom .bad{color:var(--red)}
.transom figure{margin:18px 0 0}.transom figcaption{display:flex;flex-wrap:wrap;gap:4px 14px;align-items:baseline}
.transom svg{width:100%;height:auto;display:block}
.transom text{font-size:11px;fill:var(--soft)}
.transom .grid{stroke:var(--rule);stroke-width:1}
.transom .line{fill:none;stroke:currentColor;stroke-width:1.6}.transom circle.line{fill:currentColor}
.transom .dashed{stroke-dasharray:5 4}
.transom .blue{color:var(--blue)}.transom .red{color:var(--red)}
.transom .green{color:var(--green)}.transom .grey{color:var(--grey)}
.transom .bar{fill:var(--blue)}
.transom .key{font-size:12px}
.transom .key::before{content:"\\2014\\00a0"}.transom .key.dashed::before{content:"\\2010\\2010\\00a0"}
.transom table{border-collapse:collapse;margin:14px 0;background:none;color:inherit}
.transom th,.transom td{border-bottom:1px solid var(--rule);padding:3px 14px 3px 0;text-align:left;font-weight:normal}
.transom td{text-align:right;font-variant-numeric:tabular-nums}.transom th{color:var(--soft)}
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
body{{margin:0;background:#fff}}@media (prefers-color-scheme:dark){{body{{background:#0d1117}}}}.transom{{margin:0 auto}}
</style>
</head>
<body>
<main class="transom">
{body}
</main>
</body>
</html>
"""
