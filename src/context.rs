//! What the model sees: the plan from which a context is built.

use crate::entry::{Body, Entry, Kind, Role};
use crate::ids::Slot;
use crate::json::{Raw, edit::member};
use crate::tree::Tree;

/// How an entry becomes a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum How {
    /// Its message as it is.
    Message = 0,
    /// A copy of its message with an empty array for content.
    MessageWithoutContent = 1,
    /// A copy of its message with an empty string for content.
    MessageWithoutText = 2,
    /// A `custom` message made of a custom message entry.
    Custom = 3,
    /// The same, with an empty array for content.
    CustomWithoutContent = 4,
    /// A `branchSummary` message.
    BranchSummary = 5,
    /// A `compactionSummary` message.
    CompactionSummary = 6,
}

/// The context of a path, in terms of its entries.
#[derive(Debug, Default, PartialEq)]
pub struct Plan {
    /// Entry numbers, in the order of the messages.
    pub messages: Vec<(u32, How)>,
    /// The entry that set the thinking level; without one it is `off`.
    pub thinking: Option<u32>,
    /// The entry that set the model: a model change, or an assistant message.
    pub model: Option<u32>,
}

/// Plans the context of the entries on `path` (numbers, root first). `id_of` tells an entry's own
/// id, which is its slot in any session; callers' maps may hold an entry under another key.
///
/// If there is a compaction on the path, the last one counts: its summary, then what it keeps
/// (from its first kept entry up to it), then what follows it. What it keeps is taken as it is:
/// an older compaction among it adds nothing.
pub fn plan(tree: &Tree, path: &[u32], id_of: impl Fn(u32) -> Slot) -> Plan {
    let entry = |number: u32| &tree.entries[number as usize];
    let mut plan = Plan::default();
    let mut compaction = None;
    for &number in path {
        match entry(number) {
            Entry { kind: Kind::ThinkingLevelChange, .. } => plan.thinking = Some(number),
            Entry { kind: Kind::ModelChange, .. }
            | Entry { kind: Kind::Message, role: Role::Assistant, .. } => {
                plan.model = Some(number);
            }
            Entry { kind: Kind::Compaction, .. } => compaction = Some(number),
            _ => {}
        }
    }
    let mut add = |number: u32| plan.messages.extend(how(entry(number)).map(|how| (number, how)));
    let Some(compaction) = compaction else {
        path.iter().copied().for_each(add);
        return plan;
    };
    let same = |&n: &u32| entry(n).kind == Kind::Compaction && id_of(n) == id_of(compaction);
    let at = path.iter().position(same).unwrap_or(path.len() - 1);
    let kept_from = tree.kept.get(&compaction).copied();
    let first_kept = path[..at].iter().position(|&n| Some(id_of(n)) == kept_from).unwrap_or(at);
    path[first_kept..at].iter().copied().for_each(&mut add);
    path[at + 1..].iter().copied().for_each(&mut add);
    plan.messages.insert(0, (compaction, How::CompactionSummary));
    plan
}

fn how(entry: &Entry) -> Option<How> {
    match (entry.kind, entry.body, entry.role) {
        (_, Body::Absent, _) => None,
        (Kind::CustomMessage, Body::Present, _) => Some(How::Custom),
        (Kind::CustomMessage, Body::NoContent, _) => Some(How::CustomWithoutContent),
        (Kind::BranchSummary, ..) => Some(How::BranchSummary),
        (Kind::Message, Body::NoContent, Role::System) => Some(How::MessageWithoutText),
        (
            Kind::Message,
            Body::NoContent,
            Role::User | Role::Assistant | Role::ToolResult | Role::Custom,
        ) => Some(How::MessageWithoutContent),
        (Kind::Message, ..) => Some(How::Message),
        _ => None,
    }
}

/// The settings a plan leads to, as JSON text: `{"thinkingLevel":…,"model":…}`. A member that the
/// entry did not have is absent; without a model change or assistant message, `model` is null.
/// `text_of` gives the text of an entry.
pub fn settings<E>(
    tree: &Tree,
    plan: &Plan,
    mut text_of: impl FnMut(u32) -> Result<Vec<u8>, E>,
) -> Result<Vec<u8>, E> {
    let mut out = b"{".to_vec();
    let put = |out: &mut Vec<u8>, key: &str, value: Option<Raw<'_>>| {
        if let Some(value) = value {
            if out.last() != Some(&b'{') {
                out.push(b',');
            }
            out.extend_from_slice(format!("\"{key}\":").as_bytes());
            out.extend_from_slice(value.bytes());
        }
    };
    match plan.thinking {
        None => put(&mut out, "thinkingLevel", Some(Raw::known(b"\"off\""))),
        Some(number) => put(&mut out, "thinkingLevel", member(&text_of(number)?, b"thinkingLevel")),
    }
    let mut model = b"{".to_vec();
    let model = match plan.model {
        None => b"null".as_slice(),
        Some(number) => {
            let text = text_of(number)?;
            let is_change = tree.entries[number as usize].kind == Kind::ModelChange;
            let (source, name) = if is_change {
                (Some(Raw::known(&text)), "modelId")
            } else {
                (member(&text, b"message"), "model")
            };
            if let Some(source) = source {
                put(&mut model, "provider", member(source.bytes(), b"provider"));
                put(&mut model, "modelId", member(source.bytes(), name.as_bytes()));
            }
            model.push(b'}');
            &model
        }
    };
    put(&mut out, "model", Some(Raw::known(model)));
    out.push(b'}');
    Ok(out)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::entry::Place;
    use crate::line::object;

    fn chain(bodies: &[&str]) -> Tree {
        let mut tree = Tree::default();
        for (i, body) in bodies.iter().enumerate() {
            let parent = if i == 0 { "null".into() } else { format!("\"e{}\"", i - 1) };
            let text = format!(r#"{{"id":"e{i}","parentId":{parent},{body}}}"#);
            tree.push(&object(text.as_bytes(), 0).unwrap(), Place::Memory);
        }
        tree.leaf_as_loaded();
        tree
    }

    fn messages(bodies: &[&str]) -> Vec<(u32, How)> {
        let tree = chain(bodies);
        plan(&tree, &tree.branch(tree.leaf()), |n| tree.entries[n as usize].slot).messages
    }

    const U: &str = r#""type":"message","message":{"role":"user","content":"x"}"#;

    fn keeps(id: &str) -> String {
        format!(r#""type":"compaction","summary":"s","firstKeptEntryId":"{id}""#)
    }

    #[test]
    fn a_compaction_keeps_from_its_first_kept_entry() {
        use How::{CompactionSummary as C, Message as M};
        assert_eq!(messages(&[U, U, &keeps("e1"), U]), [(2, C), (1, M), (3, M)]);
        assert_eq!(messages(&[U, U, &keeps("gone"), U]), [(2, C), (3, M)]);
        assert_eq!(
            messages(&[U, U, &keeps("e1"), U, &keeps("e1"), U]),
            [(4, C), (1, M), (3, M), (5, M)]
        );
        assert_eq!(messages(&[U, &keeps("e1")]), [(1, C)]);
    }

    #[test]
    fn missing_content_becomes_empty_and_missing_messages_are_left_out() {
        let found = messages(&[
            r#""type":"message""#,
            r#""type":"message","message":{"role":"assistant","content":null}"#,
            r#""type":"message","message":{"role":"system"}"#,
            r#""type":"message","message":{"role":"bashExecution"}"#,
            r#""type":"custom_message","content":null"#,
            r#""type":"branch_summary","summary":"""#,
            r#""type":"branch_summary","summary":"x""#,
            r#""type":"custom","data":1"#,
        ]);
        use How::*;
        assert_eq!(
            found,
            [
                (1, MessageWithoutContent),
                (2, MessageWithoutText),
                (3, MessageWithoutContent),
                (4, CustomWithoutContent),
                (6, BranchSummary)
            ]
            .map(|(n, how)| if n == 3 { (n, Message) } else { (n, how) })
        );
    }

    #[test]
    fn settings_come_from_the_path() {
        let bodies = [
            r#""type":"thinking_level_change","thinkingLevel":"high""#,
            r#""type":"model_change","provider":"p","modelId":"m""#,
            r#""type":"message","message":{"role":"assistant","content":[],"provider":"q"}"#,
        ];
        let tree = chain(&bodies);
        let text =
            |number: u32| Ok::<_, ()>(format!("{{{}}}", bodies[number as usize]).into_bytes());
        let of = |n: usize| {
            let plan = plan(&tree, &tree.path_to(n as u32), |n| tree.entries[n as usize].slot);
            String::from_utf8(settings(&tree, &plan, text).unwrap()).unwrap()
        };
        assert_eq!(of(0), r#"{"thinkingLevel":"high","model":null}"#);
        assert_eq!(of(1), r#"{"thinkingLevel":"high","model":{"provider":"p","modelId":"m"}}"#);
        assert_eq!(of(2), r#"{"thinkingLevel":"high","model":{"provider":"q"}}"#);
    }
}
