//! The plan of a branched session, and carrying it out.

use napi::Env;
use napi::bindgen_prelude::{Result, Uint32Array};
use napi_derive::napi;

use super::error::thrown;
use super::manager::SessionManager;
use super::text::{Json, Text};
use crate::Error;
use crate::session::{BranchChange, BranchPlan};

/// A branch laid out as a new session.
#[napi(object, object_from_js = false)]
pub struct BranchLayout {
    /// The members of the new header that the core decides.
    #[napi(ts_type = "string")]
    pub header: Json,
    /// The entries taken over.
    pub entries: Uint32Array,
    /// JSON array of `[place in entries, { member: new value }]`.
    #[napi(ts_type = "string")]
    pub changes: Json,
    /// Whether the new session is written at once, so that objects are wanted as lines.
    pub writes: bool,
    /// JSON array of the label entries that follow.
    #[napi(ts_type = "string")]
    pub labels: Json,
}

#[napi]
impl SessionManager {
    /// Plans the branch to this entry, or to the leaf, as a new session.
    #[napi(catch_unwind)]
    pub fn plan_branched_session(
        &mut self,
        env: Env,
        #[napi(ts_arg_type = "string | null")] leaf: Option<Text>,
        #[napi(ts_arg_type = "string")] asked_for: Text,
    ) -> Result<BranchLayout> {
        let plan =
            thrown(env, self.session.plan_branch(leaf.as_ref().map(|id| &id.0[..]), &asked_for.0))?;
        let layout = BranchLayout {
            header: Json(plan.fresh.members()),
            entries: Uint32Array::new(plan.entries.clone()),
            writes: plan.writes,
            changes: Json(changes_to_json(&plan)),
            labels: Json([b"[", &plan.labels.join(&b',')[..], b"]"].concat()),
        };
        self.branch_plan = Some(plan);
        Ok(layout)
    }

    /// Turns to the session planned last.
    #[napi(catch_unwind)]
    pub fn create_branched_session(
        &mut self,
        env: Env,
        header: String,
        lines: Vec<Option<String>>,
    ) -> Result<()> {
        let none = || Error::ChangedDuringCall("createBranchedSession");
        let plan = thrown(env, self.branch_plan.take().ok_or_else(none))?;
        let lines = lines.into_iter().map(|line| line.map(String::into_bytes)).collect();
        let done = self.session.create_branched_session(&plan, header.as_bytes(), lines);
        thrown(env, done)?;
        self.branched(plan.fresh);
        Ok(())
    }
}

fn changes_to_json(plan: &BranchPlan) -> Vec<u8> {
    let change = |(place, members): &BranchChange| {
        let member =
            |(key, value): &(&str, Vec<u8>)| [format!("\"{key}\":").as_bytes(), value].concat();
        let members: Vec<_> = members.iter().map(member).collect();
        [format!("[{place},{{").as_bytes(), &members.join(&b','), b"}]"].concat()
    };
    let changes: Vec<_> = plan.changes.iter().map(change).collect();
    [b"[", &changes.join(&b',')[..], b"]"].concat()
}
