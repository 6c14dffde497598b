#[test]
fn kani_concrete_playback_check_mean_6199617291819462955() {
    let concrete_vals: Vec<Vec<u8>> = vec![
        // 200
        vec![200],
        // 100
        vec![100],
        // 258
        vec![2, 1, 0, 0],
    ];
    kani::concrete_playback_run(concrete_vals, check_mean);
}
