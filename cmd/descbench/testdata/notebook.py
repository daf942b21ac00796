"""Executes the cells of a notebook without Jupyter, writes it with its outputs, and prints a value as JSON.

    python3 notebook.py FILE EXPRESSION
"""
import ast
import base64
import builtins
import contextlib
import io
import json
import os
import subprocess
import sys
import types

sys.path.insert(0, os.getcwd())
builtins.get_ipython = lambda: types.SimpleNamespace(kernel=None)  # pandas prints tables as in Jupyter


def outputs(value, printed, count):
    """Yields what a cell printed, the figures that it drew with matplotlib, and its value, as Jupyter stores them."""
    if printed:
        yield {"name": "stdout", "output_type": "stream", "text": printed.replace(os.getcwd(), "/home/me").splitlines(True)}
    pyplot = sys.modules.get("matplotlib.pyplot")
    for number in pyplot.get_fignums() if pyplot else []:
        figure, png = pyplot.figure(number), io.BytesIO()
        figure.savefig(png, bbox_inches="tight")
        pyplot.close(figure)
        data = {"image/png": base64.b64encode(png.getvalue()).decode(), "text/plain": [repr(figure)]}
        yield {"data": data, "metadata": {}, "output_type": "display_data"}
    if value is not None:
        data = {"text/plain": repr(value).splitlines(True)}
        if hasattr(value, "_repr_svg_"):
            data["image/svg+xml"] = value._repr_svg_().splitlines(True)
        yield {"data": data, "execution_count": count, "metadata": {}, "output_type": "execute_result"}


with open(sys.argv[1], encoding="utf-8") as file:
    notebook = json.load(file)
space = {}
for cell in notebook["cells"]:
    if cell["cell_type"] != "code":
        continue
    lines = "".join(cell["source"]).split("\n")
    for line in lines:
        if line.startswith("!"):
            subprocess.run(line[1:], shell=True, check=True)
    tree = ast.parse("\n".join(line for line in lines if line[:1] not in ("!", "%")))
    last = tree.body.pop() if tree.body and isinstance(tree.body[-1], ast.Expr) else ast.parse("None").body[0]
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        exec(compile(tree, "cell", "exec"), space)
        value = eval(compile(ast.Expression(last.value), "cell", "eval"), space)
    cell["outputs"] = list(outputs(value, printed.getvalue(), cell["execution_count"]))
with open(sys.argv[1], "w", encoding="utf-8") as file:
    json.dump(notebook, file, indent=1, ensure_ascii=False)
    file.write("\n")
print(json.dumps(eval(sys.argv[2], space)))
