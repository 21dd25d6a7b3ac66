"use strict";

const ROOT = 0xffffffff;

/** The nodes of a session's tree, fresh ones at each call. */
function buildTree(core, objects) {
  const { entries, parents, unordered, labels } = core.getTree();
  objects.ensure(entries);
  const byEntry = new Map();
  for (const [number, label, timestamp] of JSON.parse(labels)) byEntry.set(number, { label, timestamp });
  const nodes = new Array(entries.length);
  for (let i = 0; i < entries.length; i++) {
    const entry = objects.list[entries[i]];
    const labelled = byEntry.size > 0 ? byEntry.get(entries[i]) : undefined;
    nodes[i] = { entry, children: [], label: labelled?.label, labelTimestamp: labelled?.timestamp };
  }
  const roots = [];
  for (let i = 0; i < nodes.length; i++) {
    if (parents[i] === ROOT) roots.push(nodes[i]);
    else nodes[parents[i]].children.push(nodes[i]);
  }
  // Times that are not written as this module writes them are read as only JavaScript can.
  const time = ({ entry }) => new Date(entry.timestamp).getTime();
  for (const at of unordered) nodes[at].children.sort((a, b) => time(a) - time(b));
  return roots;
}

module.exports = { buildTree };
