//! What the extension answers Zed, in an empty folder; the last line is the program that it has installed there.
use std::sync::atomic::Ordering;

use zed_extension_api::serde_json::Value;
use zed_extension_api::{CommandSettings, Extension, LanguageServerId, LspSettings, Worktree};

fn main() {
    let mut extension = extension::extension();
    let mut answer = |worktree: &Worktree| {
        extension
            .language_server_command(&LanguageServerId, worktree)
            .map(|command| (command.command, command.args, command.env))
    };
    let serve = vec!["serve".to_string()];
    let command = |path: &str| Ok((path.to_string(), serve.clone(), vec![]));

    let mut worktree = Worktree::default();
    worktree.on_path = Some("/usr/bin/critic-lsp".to_string());
    assert_eq!(answer(&worktree), command("/usr/bin/critic-lsp"));

    worktree.settings = Some(LspSettings::default());
    assert_eq!(answer(&worktree), command("/usr/bin/critic-lsp"));
    let binary = CommandSettings {
        path: Some("/opt/critic-lsp".to_string()),
        arguments: Some(vec!["--stdio".to_string()]),
        env: Some([("A".to_string(), "b".to_string())].into()),
    };
    worktree.settings.as_mut().unwrap().binary = Some(binary);
    let set = ("/opt/critic-lsp", "--stdio", ("A", "b"));
    assert_eq!(
        answer(&worktree),
        Ok((
            set.0.to_string(),
            vec![set.1.to_string()],
            vec![(set.2 .0.to_string(), set.2 .1.to_string())]
        ))
    );

    std::env::set_var("ZED_PLATFORM", "mac aarch64");
    let nothing = Worktree::default();
    assert!(answer(&nothing).unwrap_err().contains("build it"));
    std::env::set_var("ZED_PLATFORM", "linux x86_64");
    std::fs::create_dir("critic-lsp-v0.0.1").unwrap();
    let (program, args, _) = answer(&nothing).unwrap();
    assert_eq!(args, serve);
    assert!(!std::path::Path::new("critic-lsp-v0.0.1").exists());
    assert_eq!(answer(&nothing).unwrap().0, program);
    assert_eq!(zed_extension_api::DOWNLOADS.load(Ordering::Relaxed), 1);

    let options = Value("{\"tracking\": \"on\"}".to_string());
    worktree.settings = Some(LspSettings {
        binary: None,
        initialization_options: Some(options.clone()),
        settings: Some(options.clone()),
    });
    let id = LanguageServerId;
    let initial = extension.language_server_initialization_options(&id, &worktree);
    assert_eq!(initial, Ok(Some(options.clone())));
    let configured = extension.language_server_workspace_configuration(&id, &worktree);
    assert_eq!(configured, Ok(Some(options)));
    println!("{program}");
}
