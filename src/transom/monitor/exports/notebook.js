// The live cell: it shows the picture that Python draws, in which all text of the data is escaped.

export default { render({ model, el }) {
  const node = document.createElement("div");
  el.append(node);
  const show = () => { node.innerHTML = model.get("picture"); };
  model.on("change:picture", show);
  show();
} };
