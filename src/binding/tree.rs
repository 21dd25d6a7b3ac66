//! The class `SessionManager`: the tree, and what is built from it.

use napi::Env;
use napi::bindgen_prelude::{Result, Uint32Array};
use napi_derive::napi;

use super::NONE;
use super::error::thrown;
use super::manager::SessionManager;
use super::text::{Json, Text};
use crate::context::Plan;
use crate::ids::Slot;
use crate::layout;

/// The tree as nodes. Siblings come in their order.
#[napi(object, object_from_js = false)]
pub struct TreeLayout {
    /// The entry of each node.
    pub entries: Uint32Array,
    /// The position of each node's parent, 0xffffffff for a root.
    pub parents: Uint32Array,
    /// Positions of nodes whose children have yet to be ordered by time.
    pub unordered: Uint32Array,
    /// A JSON array of `[entry, label]` or `[entry, label, timestamp]`.
    #[napi(ts_type = "string")]
    pub labels: Json,
}

/// What a context is made of.
#[napi(object, object_from_js = false)]
pub struct ContextPlan {
    /// A message each: the entry's number times 8, plus how it becomes a message (see
    /// `How` in the core).
    pub messages: Uint32Array,
    /// JSON text: thinking level and model.
    #[napi(ts_type = "string")]
    pub settings: Json,
}

/// The plan as it crosses the boundary.
pub fn plan_to_js(plan: &Plan, settings: Vec<u8>) -> ContextPlan {
    let messages = plan.messages.iter().map(|&(number, how)| number << 3 | how as u32);
    ContextPlan { messages: Uint32Array::new(messages.collect()), settings: Json(settings) }
}

#[napi]
impl SessionManager {
    /// The number of entries.
    #[napi(catch_unwind)]
    pub fn length(&self) -> u32 {
        self.session.tree().count()
    }

    /// The leaf's id.
    #[napi(catch_unwind, ts_return_type = "string | null")]
    pub fn get_leaf_id(&self) -> Option<Text> {
        let tree = self.session.tree();
        tree.leaf().map(|slot| Text(tree.id_text(slot)))
    }

    /// The number of the entry with this id, or 0xffffffff.
    #[napi(catch_unwind)]
    pub fn get_entry(&self, #[napi(ts_arg_type = "string")] id: Text) -> u32 {
        self.session.tree().entry(&id.0).unwrap_or(NONE)
    }

    /// Throws if no entry has this id.
    #[napi(catch_unwind)]
    pub fn require_entry(&self, env: Env, #[napi(ts_arg_type = "string")] id: Text) -> Result<()> {
        thrown(env, self.session.find(&id.0)).map(drop)
    }

    /// The direct children of an id, of `null`, or (`missing`) of entries that name no parent.
    #[napi(catch_unwind)]
    pub fn get_children(
        &self,
        #[napi(ts_arg_type = "string | null")] parent: Option<Text>,
        missing: bool,
    ) -> Uint32Array {
        let tree = self.session.tree();
        let slot = match &parent {
            Some(id) => tree.ids.find(&id.0),
            None if missing => Some(Slot::MISSING),
            None => Some(Slot::NULL),
        };
        Uint32Array::new(slot.map_or_else(Vec::new, |slot| tree.children(slot)))
    }

    /// The entries from the root to this one, or to the leaf.
    #[napi(catch_unwind)]
    pub fn get_branch(
        &self,
        #[napi(ts_arg_type = "string | null")] from: Option<Text>,
    ) -> Uint32Array {
        let tree = self.session.tree();
        let slot = match &from {
            Some(id) => tree.find(&id.0),
            None => tree.leaf(),
        };
        Uint32Array::new(tree.branch(slot))
    }

    /// The label of an entry, as JSON text.
    #[napi(catch_unwind, ts_return_type = "string | null")]
    pub fn get_label(&self, #[napi(ts_arg_type = "string")] id: Text) -> Option<Json> {
        let tree = self.session.tree();
        let label = tree.labels.get(tree.ids.find(&id.0)?)?;
        Some(Json(label.label.to_vec()))
    }

    /// The display name.
    #[napi(catch_unwind, ts_return_type = "string | null")]
    pub fn get_session_name(&self, env: Env) -> Result<Option<Text>> {
        Ok(thrown(env, self.session.name())?.map(Text))
    }

    /// The tree, laid out.
    #[napi(catch_unwind)]
    pub fn get_tree(&self) -> TreeLayout {
        let tree = self.session.tree();
        let found = layout::layout(tree);
        let mut labels = Vec::new();
        for (target, label) in tree.labels.in_order() {
            let Some(entry) = tree.ids.last(target) else {
                continue;
            };
            let mut row = format!("[{entry},").into_bytes();
            row.extend_from_slice(&label.label);
            if let Some(timestamp) = &label.timestamp {
                row.push(b',');
                row.extend_from_slice(timestamp);
            }
            row.push(b']');
            labels.push(row);
        }
        TreeLayout {
            entries: Uint32Array::new(found.entries),
            parents: Uint32Array::new(found.parents),
            unordered: Uint32Array::new(found.unordered),
            labels: Json([b"[", &labels.join(&b',')[..], b"]"].concat()),
        }
    }

    /// Moves the leaf to an entry.
    #[napi(catch_unwind)]
    pub fn branch(&mut self, env: Env, #[napi(ts_arg_type = "string")] id: Text) -> Result<()> {
        thrown(env, self.session.branch(&id.0))
    }

    /// Moves the leaf to before the first entry.
    #[napi(catch_unwind)]
    pub fn reset_leaf(&mut self) {
        self.session.reset_leaf();
    }

    /// The plan of the context at the leaf.
    #[napi(catch_unwind)]
    pub fn build_session_context(&self, env: Env) -> Result<ContextPlan> {
        let plan = self.session.context();
        let settings = thrown(env, self.session.settings(&plan))?;
        Ok(plan_to_js(&plan, settings))
    }
}
