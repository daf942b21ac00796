"use strict";

// made gives an element its attributes, but for undefined and false ones, and its children.
function made(e, attributes, children) {
  for (const [key, value] of Object.entries(attributes)) {
    if (value !== undefined && value !== false) e.setAttribute(key, value);
  }
  e.append(...children);
  return e;
}
const element = (name, attributes = {}, ...children) => made(document.createElement(name), attributes, children);
const svg = (name, attributes = {}, ...children) => made(document.createElementNS("http://www.w3.org/2000/svg", name), attributes, children);
const $ = (selector, root = document) => root.querySelector(selector);
const $$ = (selector, root = document) => [...root.querySelectorAll(selector)];

