"""Sphinx builds the manual from what stage.py lays out: version and output are in its command line."""

project = "Nocturne"
author = "the Nocturne developers"
copyright = "the Nocturne developers; MIT licence"  # pylint: disable=redefined-builtin

extensions = ["myst_parser"]
root_doc = "index"
myst_heading_anchors = 4  # links to sections, as they are written for Markdown
highlight_language = "none"
# Blocks of JSON and SystemVerilog leave things out with an ellipsis, which is neither.
suppress_warnings = ["misc.highlighting_failure"]

html_theme = "alabaster"
html_theme_options = {
    "description": "network-on-chip simulator with schedule validation",
    "fixed_sidebar": True,
    "page_width": "1180px",
    "sidebar_width": "260px",
    "font_family": "sans-serif",
    "head_font_family": "sans-serif",
}
html_sidebars = {"**": ["about.html", "searchbox.html", "navigation.html"]}
html_static_path = ["manual.css"]
html_css_files = ["manual.css"]
html_copy_source = False
html_show_sphinx = False
