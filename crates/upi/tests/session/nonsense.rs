//! Every error is answered, and the session continues.

use std::sync::{Arc, Mutex};

use equipoise_upi::{Session, serve};

use crate::talk::{POLAR, TURN, Talk};

#[test]
fn what_is_wrong_is_said() {
    let mut talk = Talk::solved(&TURN);
    let short = vec!["0.5"; 1325].join(" ");
    let high = vec!["1.5"; 1326].join(" ");
    let zero = vec!["0"; 1326].join(" ");
    let halves = vec!["0.4"; 2 * 1326].join(" ");
    let nan = vec!["nan"; 2 * 1326].join(" ");
    let long = "x".repeat(100_000);
    for (command, words) in [
        ("shownode r:0", "did you mean show_node?"),
        ("frobnicate", "known: is_ready"),
        (long.as_str(), "is no command"),
        ("solve_partial r:0", "is not done here"),
        ("is_ready now", "takes no arguments"),
        ("show_node", "argument 1 is missing"),
        ("show_node r:0 r:1", "takes NODE"),
        ("show_node 0", "names begin with r"),
        ("show_node r:1", "after r comes 0"),
        ("show_node r:", "after r comes 0"),
        ("show_node r:0:b99", "there is no 'b99' after r:0; possible: b50, c"),
        ("show_node r:0:c:c:Qd", "Qd cannot come"),
        ("show_node r:0:c:c:c", "a card comes"),
        ("show_node r:0:b50:f:c", "the hand is over"),
        ("show_node r:0:::", "there is no ''"),
        ("show_strategy r:0:c:c", "nobody acts at r:0:c:c"),
        ("show_strategy r", "nobody acts at r"),
        ("lock_node r:0:b50:f", "nobody acts"),
        ("calc_ev BB r:0", "'BB' is no player"),
        ("calc_ev OOP", "argument 2 is missing"),
        ("calc_ev", "argument 1 is missing"),
        ("show_range", "OOP or IP"),
        ("set_range OOP", "argument 2 is missing"),
        ("set_range OOP QQ+,AKx", "AKx"),
        (&format!("set_range OOP {short}"), "1326 weights are needed, found 1325"),
        (&format!("set_range OOP {high}"), "the weight of 2d2c"),
        (&format!("set_range OOP {zero}"), "every weight is 0"),
        ("set_board", "three to five cards"),
        ("set_board Td9d", "the board 'Td9d'"),
        ("set_board Td9d6hTd", "the board"),
        ("set_board Td9d6hQc2h3h", "the board"),
        ("set_board xx", "the board 'xx'"),
        ("set_pot 100", "argument 2 is missing"),
        ("set_pot 0 0 NaN", "argument 3"),
        ("set_pot 0 0 -5", "argument 3"),
        ("set_pot 0 0 1e30", "too many"),
        ("set_pot 0 0 0", "at least 1 chip"),
        ("set_pot 10 10 100", "120 if that was 10 + 10 + 100"),
        ("set_pot 0 0 10.5", "not whole"),
        ("set_eff_stack inf", "argument 1"),
        ("set_eff_stack 99999999999999999999", "too many"),
        ("set_rake 5 10", "more than the whole pot"),
        ("set_rake -0.1", "argument 1"),
        ("set_rake 0.05 0", "leave it out"),
        ("set_rake 0.05 3 1", "argument 3"),
        ("set_isomorphism 2 0", "not 0 or 1"),
        ("set_isomorphism 1", "argument 2 is missing"),
        ("set_threads -1", "argument 1"),
        ("set_threads 99999", "too many"),
        ("set_accuracy NaN", "argument 1"),
        ("set_accuracy -1 chips", "argument 1"),
        ("set_accuracy 1 percent", "not chips or fraction"),
        ("set_info_freq 0", "write a number from 0.1"),
        ("set_info_freq 1e30", "write a number from 0.1"),
        ("set_recalc_accuracy x", "argument 1"),
        ("set_always_recalc", "argument 1 is missing"),
        ("go soon", "argument 1"),
        ("go NaN seconds", "argument 1"),
        ("go -3 steps", "argument 1"),
        ("go 1.5 steps", "argument 1"),
        ("go 5 minutes", "not seconds or steps"),
        ("set_strategy r:0", "2652 frequencies (1,326 for each of 2 children) are needed, found 0"),
        (&format!("set_strategy r:0 {short}"), "found 1325"),
        (&format!("set_strategy r:0 {halves}"), "they must sum to 1"),
        (&format!("set_strategy r:0 {nan}"), "argument 2"),
        ("dump_tree", "argument 1 is missing"),
        ("dump_tree /nowhere/at/all.eqp", "/nowhere/at/all.eqp"),
        ("dump_tree x.eqp some", "not full, no_rivers or no_turns"),
        ("load_tree /nowhere.eqp", "/nowhere.eqp"),
        ("load_tree Cargo.toml", "cannot be used"),
        ("load_tree x.eqp slow", "not full, fast or auto"),
        ("load_tree \"open", "not closed"),
        ("load_script /nowhere.txt", "/nowhere.txt"),
        ("set_end_string", "argument 1 is missing"),
        ("add_info_line", "argument 1 is missing"),
        ("calc_eq both", "no player"),
    ] {
        let error = talk.refused(command);
        let shown: String = command.chars().take(80).collect();
        assert!(error.contains(words), "{shown}: {error}");
        let name: String = command.split(' ').next().unwrap().chars().take(60).collect();
        assert!(error.starts_with(&format!("ERROR: {name}")), "{shown}: {error}");
        assert!(error.len() < 1500, "{shown}: {error}");
    }
    // Nothing of that has changed the tree.
    assert!(talk.ask("show_node r:0").starts_with("r:0\nOOP_DEC\n"));
}

#[test]
fn commands_that_need_others_say_which() {
    let mut talk = Talk::new();
    for (given, missing) in [
        ("echo", "set_range OOP comes first"),
        ("set_range OOP AA", "set_range IP comes first"),
        ("set_range IP KK", "set_board comes first"),
        ("set_board AhKh2c", "set_pot comes first"),
        ("set_pot 0 0 10", "set_eff_stack comes first"),
    ] {
        talk.ask(given);
        assert!(talk.refused("build_tree").contains(missing), "{missing}");
    }
    talk.ok("set_eff_stack 10");
    talk.ok("build_tree");
    talk.ok("set_range IP AhKh");
    assert!(talk.refused("build_tree").contains("no combo that the board"), "the board blocks it");
    assert!(talk.ask("is_tree_present").starts_with("true"), "the old tree is still there");
}

#[test]
fn a_tree_that_does_not_fit_is_refused() {
    let heard = Arc::new(Mutex::new(String::new()));
    let ears = Arc::clone(&heard);
    let session = Session::new(move |text: &str| {
        ears.lock().unwrap().push_str(text);
        Ok(())
    });
    let mut session = session.with_memory_limit(Some(1000));
    serve(POLAR.join("\n").as_bytes(), &mut session).unwrap();
    let heard = heard.lock().unwrap();
    assert!(heard.contains("ERROR: build_tree: solving takes about"), "{heard}");
}

#[test]
fn bytes_of_any_kind() {
    let heard = Arc::new(Mutex::new(String::new()));
    let ears = Arc::clone(&heard);
    let mut session = Session::new(move |text: &str| {
        ears.lock().unwrap().push_str(text);
        Ok(())
    });
    let mut input =
        b"\xff\xfe\x00nothing\n\x00\x01\x02\n\r\n   \n\xef\xbb\xbfis_ready\nis_ready\r\n".to_vec();
    // One that is longer than any line may be.
    input.extend(vec![b'a'; (16 << 20) + 1]);
    input.extend(b"\necho last, without a newline");
    serve(&input[..], &mut session).unwrap();
    let heard = heard.lock().unwrap();
    let lines: Vec<&str> = heard.lines().collect();
    assert!(lines[0].contains("not UTF-8"), "{}", lines[0]);
    assert!(lines[1].starts_with("ERROR: \u{fffd}"), "{}", lines[1]);
    assert_eq!(lines[2..4], ["is_ready ok!", "is_ready ok!"]);
    assert!(lines[4].starts_with("ERROR: a line has more than 16777216 bytes"), "{}", lines[4]);
    assert_eq!(lines[5..], ["last, without a newline"]);
}

#[test]
fn nobody_listens_any_more() {
    let mut session = Session::new(|_: &str| Err(std::io::ErrorKind::BrokenPipe.into()));
    serve(&b"is_ready\nis_ready\n"[..], &mut session).unwrap();
    assert_eq!(session.command(b"is_ready"), equipoise_upi::Next::Exit);
}

#[test]
fn a_script_that_loads_itself_comes_to_an_end() {
    let script = crate::talk::Temporary::new("itself.txt");
    std::fs::write(&script.0, format!("load_script {}\necho after\n", script.quoted())).unwrap();
    let text = Talk::new().ask(&format!("load_script {}", script.quoted()));
    assert!(text.contains("more than 8 deep") && text.ends_with("load_script ok!\n"), "{text}");
    assert_eq!(text.matches("after\n").count(), 8);
}
