// Not tried in Zed: compiled and run with a substitute for zed_extension_api.
use std::fs;
use std::path::Path;

use zed_extension_api::{
    self as zed, serde_json::Value, settings::LspSettings, Architecture, Command,
    DownloadedFileType, LanguageServerId, LanguageServerInstallationStatus as Status, Os, Result,
    Worktree,
};

const NAME: &str = "critic-lsp";
const RELEASES: &str = "@RELEASES@";
const RELEASE: &str = "critic-lsp-v@VERSION@";

struct CriticLsp;

impl zed::Extension for CriticLsp {
    fn new() -> Self {
        CriticLsp
    }

    /// The program that the settings name, the one on the PATH, or that of the release.
    fn language_server_command(
        &mut self,
        id: &LanguageServerId,
        worktree: &Worktree,
    ) -> Result<Command> {
        let set = settings(worktree).binary;
        let (path, arguments, env) = match set {
            Some(set) => (set.path, set.arguments, set.env),
            None => (None, None, None),
        };
        let command = match path.or_else(|| worktree.which(NAME)) {
            Some(command) => command,
            None => installed(id)?,
        };
        Ok(Command {
            command,
            args: arguments.unwrap_or_else(|| vec!["serve".to_string()]),
            env: env.unwrap_or_default().into_iter().collect(),
        })
    }

    fn language_server_initialization_options(
        &mut self,
        _id: &LanguageServerId,
        worktree: &Worktree,
    ) -> Result<Option<Value>> {
        Ok(settings(worktree).initialization_options)
    }

    fn language_server_workspace_configuration(
        &mut self,
        _id: &LanguageServerId,
        worktree: &Worktree,
    ) -> Result<Option<Value>> {
        Ok(settings(worktree).settings)
    }
}

fn settings(worktree: &Worktree) -> LspSettings {
    LspSettings::for_worktree(NAME, worktree).unwrap_or_default()
}

/// Downloads the release, unless it is there. Its program's path is from the extension's folder, where Zed looks.
fn installed(id: &LanguageServerId) -> Result<String> {
    let architecture = match zed::current_platform() {
        (Os::Linux, Architecture::X8664) => "x86_64",
        (Os::Linux, Architecture::Aarch64) => "aarch64",
        _ => {
            return Err(format!(
                "there is no {NAME} for this system to download; build it, and put it on the PATH"
            ))
        }
    };
    let archive = format!("{RELEASE}-{architecture}-linux");
    let program = format!("{RELEASE}/{archive}/bin/{NAME}");
    if !Path::new(&program).is_file() {
        zed::set_language_server_installation_status(id, &Status::Downloading);
        let url = format!("{RELEASES}/{archive}.tar.gz");
        zed::download_file(&url, RELEASE, DownloadedFileType::GzipTar)
            .map_err(|error| format!("could not download {url}: {error}"))?;
        zed::make_file_executable(&program)?;
        remove_other_releases()?;
        zed::set_language_server_installation_status(id, &Status::None);
    }
    Ok(program)
}

fn remove_other_releases() -> Result<()> {
    let entries = fs::read_dir(".").map_err(|error| error.to_string())?;
    for entry in entries.flatten() {
        let name = entry.file_name().to_string_lossy().into_owned();
        if name.starts_with("critic-lsp-v") && name != RELEASE {
            fs::remove_dir_all(entry.path()).map_err(|error| error.to_string())?;
        }
    }
    Ok(())
}

zed::register_extension!(CriticLsp);
