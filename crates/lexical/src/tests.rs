//! What a search finds, and in which order.

use splitmix64::next_splitmix64;
use tempfile::TempDir;

use super::{
    LexicalCommit, LexicalHit, LexicalIndex, LexicalPassage, LexicalQuery, LexicalScope,
    QueryExpansion, count_occurrences, find_phrase, search_index,
};

/// An index of passages; each is (section number, title, text), its index is its id and content.
struct Corpus {
    lexical: LexicalIndex,
    _folder: TempDir,
}

impl Corpus {
    fn of(passages: &[(&str, &str, &str)]) -> Self {
        let one_each = passages.iter().enumerate();
        Self::with_ids(
            &one_each.map(|(index, passage)| (index as u64, 1, *passage)).collect::<Vec<_>>(),
        )
    }

    /// Passages with their content and document; ids are their indexes.
    fn with_ids(passages: &[(u64, u32, (&str, &str, &str))]) -> Self {
        let folder = tempfile::tempdir().expect("temporary folder");
        let lexical = LexicalIndex::open(folder.path()).expect("opened");
        let mut writer = lexical.open_writer().expect("writer");
        for (id, (content, document, (section, title, text))) in (0..).zip(passages) {
            let number = if *document == 1 { "38.331" } else { "24.301" };
            let passage = LexicalPassage {
                passage: id,
                content: *content,
                document: *document,
                number,
                section,
                title: &format!("{section} {title}"),
                text: &format!("TS {number} > {section} {title}\n{text}"),
            };
            writer.add_passage(1, &passage).expect("added");
            // Several segments, as a grown index has.
            if id % 7 == 6 {
                writer
                    .commit(LexicalCommit { batch: 1, batches: 1, replaces: None })
                    .expect("committed");
            }
        }
        writer.commit(LexicalCommit { batch: 1, batches: 1, replaces: None }).expect("committed");
        drop(writer);
        Self { lexical, _folder: folder }
    }

    fn texts(texts: &[&str]) -> Self {
        Self::of(&texts.iter().map(|text| ("1", "General", *text)).collect::<Vec<_>>())
    }

    fn hits(
        &self,
        query: &LexicalQuery,
        documents: Option<&[u32]>,
        limit: usize,
    ) -> Vec<LexicalHit> {
        let scope = LexicalScope { documents, contents: None, live: &|_, _| true };
        let searcher = self.lexical.reload_searcher().expect("searcher");
        search_index(&searcher, query, &scope, limit).expect("searched")
    }

    fn find(&self, text: &str) -> Vec<u64> {
        self.ids(&query_of(text))
    }

    fn ids(&self, query: &LexicalQuery) -> Vec<u64> {
        self.hits(query, None, 10).iter().map(|hit| hit.passage).collect()
    }

    fn contents_with(&self, phrase: &str, at_most: usize) -> Vec<u64> {
        let scope =
            LexicalScope { documents: None, contents: None, live: &|_, passage| passage != 99 };
        let searcher = self.lexical.reload_searcher().expect("searcher");
        let hits = find_phrase(&searcher, phrase, &scope, at_most).expect("found");
        hits.iter().map(|hit| hit.content).collect()
    }

    fn occurrences(&self, text: &str) -> usize {
        let scope =
            LexicalScope { documents: None, contents: None, live: &|_, passage| passage != 99 };
        count_occurrences(&self.lexical.reload_searcher().expect("searcher"), text, &scope, 100)
            .expect("counted")
    }
}

fn query_of(text: &str) -> LexicalQuery {
    LexicalQuery { text: text.into(), ..LexicalQuery::default() }
}

fn expansion(source: &str, text: &str, weight: f32) -> QueryExpansion {
    QueryExpansion { source: source.into(), text: text.into(), weight, documents: None }
}

#[test]
fn an_index_is_found_in_every_spelling() {
    let corpus = Corpus::texts(&[
        "The index I_MCS is read from DCI.",
        "The index $I_{\\mathrm{MCS}}$ is read from DCI.",
        "Another text of DCI.",
    ]);
    for query in ["IMCS", "I_MCS", "I MCS", "$I_{\\mathrm{MCS}}$"] {
        let mut found = corpus.find(query);
        found.sort_unstable();
        assert_eq!(found, [0, 1], "{query}");
    }
}

#[test]
fn every_spelling_finds_every_other() {
    for spellings in [
        &["re-establishment", "reestablishment", "re establishment", "Re\u{2011}establishment"][..],
        &["hand-over", "handover", "Handovers"],
        &["ssb-PositionsInBurst", "SSB-PositionsInBurst", "ssbPositionsInBurst"],
        &["RRCReconfiguration", "RRC-Reconfiguration", "rrcreconfiguration"],
        &["5G-GUTI", "5G GUTI", "5g-guti"],
        &["Nudm_SDM_Get", "nudm-sdm-get", "NudmSDMGet"],
        &["TS38.331", "38.331"],
        &["MsgA", "msga", "Msg-A"],
        &["T310", "t310", "T-310"],
        &["gNBs", "gNB"],
        &["configured measurements", "configuring a measurement", "CONFIGURED MEASUREMENT"],
    ] {
        for written in spellings {
            let corpus = Corpus::of(&[("1", "x", written), ("2", "x", "nothing of the sort")]);
            for query in spellings {
                assert_eq!(corpus.find(query).first(), Some(&0), "{query} in {written}");
            }
        }
    }
}

#[test]
fn words_written_apart_in_the_query_find_the_joined_one() {
    for (written, query) in [("MsgA", "what is msg A"), ("handover", "hand over")] {
        let corpus = Corpus::texts(&["on the other side", written]);
        assert_eq!(corpus.find(query).first(), Some(&1), "{query}");
    }
    // And a joined word that occurs nowhere the one written apart.
    assert_eq!(Corpus::texts(&["none", "send Msg 3 again"]).find("Msg3"), [1]);
}

#[test]
fn names_are_found_by_their_parts() {
    let corpus = Corpus::texts(&["nrofHARQ-Processes", "N1/N2 container", "Nudm_SDM_Get"]);
    for (part, id) in
        [("HARQ", 0), ("processes", 0), ("N2", 1), ("SDM", 2), ("harq process", 0), ("nrof", 0)]
    {
        assert_eq!(corpus.find(part), [id], "{part}");
    }
}

#[test]
fn the_word_as_written_ranks_above_its_other_forms() {
    let corpus = Corpus::texts(&["measure cells", "measured cells", "measurement cells"]);
    for (word, id) in [("measure", 0), ("measured", 1), ("measurement", 2)] {
        let found = corpus.find(word);
        assert_eq!((found[0], found.len()), (id, 3), "{word}");
    }
}

#[test]
fn a_name_ranks_above_any_number_of_its_parts() {
    let parts = "max nrof foo bar ".repeat(20);
    let filler = "other words of no meaning ".repeat(60);
    let corpus = Corpus::texts(&[&parts, &format!("{filler} maxNrofFooBar"), &parts, &parts]);
    assert_eq!(corpus.find("maxNrofFooBar")[0], 1);
}

#[test]
fn a_word_in_the_title_ranks_above_one_in_the_text() {
    let text = "paging paging and paging";
    let corpus = Corpus::of(&[("1", "Scope", text), ("2", "Paging", "text"), ("3", "x", text)]);
    assert_eq!(corpus.find("paging")[0], 1);
}

#[test]
fn a_named_section_ranks_first_and_its_subsections_next() {
    let much = "see 5.3.5 of 38.331 and clause 5.3.5 ".repeat(9);
    let own = ("5.3.5", "Reconfiguration", "text");
    let corpus = Corpus::with_ids(&[
        (0, 1, ("5.3.1", "Introduction", &much)),
        (1, 1, ("5.3.5.1", "General", "text")),
        (2, 1, own),
        (3, 2, own),
        (4, 1, ("5.3.50", "Other", "text")),
    ]);
    for query in
        ["5.3.5 of 38.331", "38.331 5.3.5", "TS 38.331 clause 5.3.5", "TS38.331 \u{a7}5.3.5"]
    {
        assert_eq!(corpus.find(query)[..2], [2, 1], "{query}");
    }
    for query in ["clause 5.3.5", "5.3.5"] {
        assert_eq!(corpus.find(query)[..2], [2, 3], "{query}");
    }
}

#[test]
fn a_content_is_found_once_and_the_limit_is_filled() {
    let text = ("1", "General", "paging");
    let mut passages = vec![(7, 1, text); 40];
    passages.extend((0..5).map(|content| (content, 2, text)));
    let corpus = Corpus::with_ids(&passages);
    let found = |documents: Option<&[u32]>, limit| {
        let hits = corpus.hits(&query_of("paging"), documents, limit);
        hits.iter().map(|hit| (hit.passage, hit.content)).collect::<Vec<_>>()
    };
    assert_eq!(found(Some(&[1]), 3), [(0, 7)]);
    assert_eq!(found(Some(&[2]), 3), [(40, 0), (41, 1), (42, 2)]);
    assert_eq!(found(None, 9).len(), 6);
    assert!(found(Some(&[]), 9).is_empty() && found(None, 0).is_empty());
}

#[test]
fn a_phrase_is_matched_literally() {
    let corpus = Corpus::texts(&["failure of a radio link", "on radio link failure", "radio"]);
    let query = |text: &str| LexicalQuery {
        phrases: vec!["radio link failure".into()],
        text: text.into(),
        expansions: Vec::new(),
    };
    assert_eq!(corpus.ids(&query("radio link failure"))[0], 1);
    assert_eq!(corpus.ids(&query("")), [1]);
}

#[test]
fn an_expansion_finds_more_and_never_scores_above_its_source() {
    let filler = "user user user user user";
    let corpus = Corpus::texts(&["phone", "handset", filler, filler, filler, "terminal handset"]);
    let with = |expansions| LexicalQuery { expansions, ..query_of("phone") };
    let scores = |query: &LexicalQuery| corpus.hits(query, None, 10);
    assert_eq!(corpus.ids(&with(vec![expansion("phone", "handset", 1.0)]))[0], 0);
    let one = scores(&with(vec![expansion("phone", "handset", 0.5)]));
    assert_eq!(one.iter().map(|hit| hit.passage).collect::<Vec<_>>(), [0, 1, 5]);
    // Several expansions of one word do not add up.
    let several = [expansion("phone", "handset", 0.5), expansion("phone", "terminal", 0.5)];
    let both = scores(&with(several.to_vec()));
    assert_eq!(both[0].passage, 0);
    let of =
        |hits: &[LexicalHit], id| hits.iter().find(|hit| hit.passage == id).expect("found").score;
    assert!(of(&both, 5) <= of(&both, 0) * 0.5 + 1e-6);
    // A passage with the word itself gains nothing by the expansion.
    assert_eq!(of(&one, 0), of(&scores(&query_of("phone")), 0));
}

#[test]
fn an_expansion_matches_in_its_documents_only() {
    let corpus = Corpus::with_ids(&[(0, 1, ("1", "x", "alpha")), (1, 2, ("1", "x", "alpha"))]);
    let limited = QueryExpansion { documents: Some(vec![2]), ..expansion("beta", "alpha", 0.5) };
    assert_eq!(corpus.ids(&LexicalQuery { expansions: vec![limited], ..query_of("beta") }), [1]);
}

#[test]
fn hostile_queries_are_answered() {
    let corpus = Corpus::texts(&["the end of the word", "\u{1f4a5} \u{202e}x"]);
    assert_eq!(corpus.find("the of to")[0], 0);
    assert_eq!(corpus.find(&"word ".repeat(1000)), [0]);
    let many: String = (0..1500).map(|n| format!("w{n}.{n}-x/")).collect();
    for text in [&many, "", "\u{0}", "....", "\u{1f4a5}\u{1f4a5}", &"-".repeat(4000)] {
        let weights = [f32::NAN, f32::INFINITY, -1.0];
        let expansions = weights.map(|weight| expansion("word", "end", weight)).to_vec();
        let query = LexicalQuery { text: text.into(), phrases: vec![text.into(); 50], expansions };
        assert!(corpus.hits(&query, None, 5).iter().all(|hit| hit.score.is_finite()));
    }
}

#[test]
fn skipping_does_not_change_the_best_hits() {
    let words = ["alpha", "beta", "gamma", "delta", "epsilon", "zeta"];
    let text = |seed: u64| {
        let mut state = seed;
        let mut next = || (next_splitmix64(&mut state) >> 33) as usize;
        let length = 1 + next() % 30;
        (0..length)
            .map(|_| words[next() % (1 + next() % words.len())])
            .collect::<Vec<_>>()
            .join(" ")
    };
    let texts: Vec<String> = (0..300).map(text).collect();
    let corpus = Corpus::texts(&texts.iter().map(String::as_str).collect::<Vec<_>>());
    for query in ["zeta", "alpha zeta", "epsilon delta alpha beta", "gamma gamma beta zeta"] {
        let query = LexicalQuery {
            expansions: vec![expansion("alpha", "gamma delta", 0.7)],
            phrases: vec!["alpha beta".into()],
            ..query_of(query)
        };
        let all = corpus.hits(&query, None, 300);
        for limit in [1, 5, 20] {
            assert_eq!(corpus.hits(&query, None, limit), all[..limit.min(all.len())]);
        }
    }
}

#[test]
fn occurrences_are_counted_in_contents_and_in_any_spelling() {
    let text = |text| ("1", "General", text);
    let corpus = Corpus::with_ids(&[
        (0, 1, text("ssb-PositionsInBurst and N1 or N2")),
        (0, 2, text("ssb-PositionsInBurst and N1 or N2")),
        (1, 2, text("SSBPositionsInBurst of radio link failure N2")),
    ]);
    for (text, count) in [
        ("ssb-PositionsInBurst", 2),
        ("ssbPositionsInBurst", 2),
        ("ssb-PositionsInFoo", 0),
        ("radio link failure", 1),
        ("radio failure", 0),
        ("N1/N2", 1),
        ("N1/N3", 0),
        ("", 0),
        ("T310", 0),
    ] {
        assert_eq!(corpus.occurrences(text), count, "{text}");
    }
}

#[test]
fn a_phrase_is_found_in_every_content_that_has_it_whole() {
    let text = |text| ("1", "General", text);
    let corpus = Corpus::with_ids(&[
        (0, 1, text("The UE starts timer T310, and waits.")),
        (0, 2, text("The UE starts timer T310, and waits.")),
        (1, 2, text("| The UE | starts timer T310 |")),
        (2, 2, text("The timer T310 starts the UE")),
    ]);
    assert_eq!(corpus.contents_with("the UE starts timer T310", 9), [0, 1]);
    assert_eq!(corpus.contents_with("the UE starts timer T310", 1), [0]);
    assert_eq!(corpus.contents_with("the UE starts timer T311", 9), [0; 0]);
    assert_eq!(corpus.contents_with("", 9), [0; 0]);
}

#[test]
fn a_writer_waits_until_the_one_before_it_is_closed() {
    let corpus = Corpus::texts(&["paging"]);
    let before = corpus.lexical.open_writer().expect("first writer");
    std::thread::scope(|scope| {
        let closing = scope.spawn(|| {
            std::thread::sleep(std::time::Duration::from_millis(50));
            drop(before);
        });
        corpus.lexical.open_writer().expect("second writer");
        closing.join().expect("closed");
    });
}
