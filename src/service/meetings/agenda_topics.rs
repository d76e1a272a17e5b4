//! The agenda topics of the decisions that a search found.

use std::collections::HashMap;

use wire::records::AgendaTopic;

/// Maximum number of topics of a reply: the list helps to narrow a search, and a longer one does not.
const MAX_TOPICS: usize = 20;

/// Where a found decision stands.
pub(super) struct TopicPlace<'a> {
    /// The words of its title, equal in all meetings.
    pub(super) subject: &'a str,
    /// Its title as written.
    pub(super) title: &'a str,
    /// Its meeting, by its position in the order of time.
    pub(super) meeting: usize,
}

/// The topics of decisions, that of the first decision first; `name` returns the ID of a meeting.
pub(super) fn list_agenda_topics<'a>(
    places: impl Iterator<Item = TopicPlace<'a>>,
    name: impl Fn(usize) -> String,
) -> Vec<AgendaTopic> {
    let mut positions: HashMap<&str, usize> = HashMap::new();
    let mut topics: Vec<FoundTopic<'_>> = Vec::new();
    for place in places {
        let position = *positions.entry(place.subject).or_insert(topics.len());
        if position == topics.len() {
            let (title, newest) = (place.title, place.meeting);
            topics.push(FoundTopic { title, newest, meetings: Vec::new(), count: 0 });
        }
        let topic = &mut topics[position];
        topic.count += 1;
        topic.meetings.push(place.meeting);
        if place.meeting > topic.newest {
            (topic.title, topic.newest) = (place.title, place.meeting);
        }
    }
    let to_record = |mut topic: FoundTopic<'_>| {
        topic.meetings.sort_unstable();
        topic.meetings.dedup();
        AgendaTopic {
            title: topic.title.to_owned(),
            meeting_ids: topic.meetings.into_iter().map(&name).collect(),
            count: topic.count,
        }
    };
    topics.into_iter().take(MAX_TOPICS).map(to_record).collect()
}

/// A topic with the meetings of its decisions.
struct FoundTopic<'a> {
    title: &'a str,
    newest: usize,
    meetings: Vec<usize>,
    count: u64,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_title_of_several_meetings_is_one_topic_as_the_newest_writes_it() {
        let place = |subject, title, meeting| TopicPlace { subject, title, meeting };
        let places = [
            place("wide beam", "Wide beams", 1),
            place("user", "Users", 0),
            place("wide beam", "Wide Beam", 2),
            place("wide beam", "Wide beams", 1),
        ];
        let topics = list_agenda_topics(places.into_iter(), |meeting| format!("R1-{meeting}"));
        let read: Vec<_> = topics
            .iter()
            .map(|topic| (topic.title.as_str(), topic.meeting_ids.join(" "), topic.count))
            .collect();
        assert_eq!(
            read,
            [("Wide Beam", "R1-1 R1-2".to_owned(), 3), ("Users", "R1-0".to_owned(), 1)]
        );
    }
}
