//! Substitutes for what the extension uses of zed_extension_api 0.7: the same names and types, and the file system
//! instead of Zed.

use std::sync::atomic::{AtomicUsize, Ordering};

pub use settings::{CommandSettings, LspSettings};

pub type Result<T, E = String> = std::result::Result<T, E>;

pub mod serde_json {
    #[derive(Clone, Debug, PartialEq)]
    pub struct Value(pub String);
}

pub mod settings {
    use std::collections::HashMap;

    #[derive(Clone, Debug, Default)]
    pub struct LspSettings {
        pub binary: Option<CommandSettings>,
        pub initialization_options: Option<crate::serde_json::Value>,
        pub settings: Option<crate::serde_json::Value>,
    }

    #[derive(Clone, Debug, Default)]
    pub struct CommandSettings {
        pub path: Option<String>,
        pub arguments: Option<Vec<String>>,
        pub env: Option<HashMap<String, String>>,
    }

    impl LspSettings {
        pub fn for_worktree(name: &str, worktree: &crate::Worktree) -> crate::Result<Self> {
            assert_eq!(name, "critic-lsp");
            worktree.settings.clone().ok_or("no settings".to_string())
        }
    }
}

/// A folder that is open in Zed.
#[derive(Default)]
pub struct Worktree {
    pub settings: Option<LspSettings>,
    pub on_path: Option<String>,
}

impl Worktree {
    pub fn which(&self, _name: &str) -> Option<String> {
        self.on_path.clone()
    }
}

pub struct LanguageServerId;

#[derive(Debug, PartialEq)]
pub struct Command {
    pub command: String,
    pub args: Vec<String>,
    pub env: Vec<(String, String)>,
}

pub enum DownloadedFileType {
    Gzip,
    GzipTar,
    Zip,
    Uncompressed,
}

pub enum LanguageServerInstallationStatus {
    None,
    Downloading,
    CheckingForUpdate,
    Failed(String),
}

pub enum Os {
    Mac,
    Linux,
    Windows,
}

pub enum Architecture {
    Aarch64,
    X86,
    X8664,
}

pub fn current_platform() -> (Os, Architecture) {
    match std::env::var("ZED_PLATFORM").unwrap().as_str() {
        "linux x86_64" => (Os::Linux, Architecture::X8664),
        "linux aarch64" => (Os::Linux, Architecture::Aarch64),
        "mac aarch64" => (Os::Mac, Architecture::Aarch64),
        other => panic!("{other}"),
    }
}

pub fn set_language_server_installation_status(
    _id: &LanguageServerId,
    _status: &LanguageServerInstallationStatus,
) {
}

/// How many files have been downloaded.
pub static DOWNLOADS: AtomicUsize = AtomicUsize::new(0);

/// Unpacks what is at a file:// address.
pub fn download_file(url: &str, path: &str, kind: DownloadedFileType) -> Result<()> {
    assert!(matches!(kind, DownloadedFileType::GzipTar));
    DOWNLOADS.fetch_add(1, Ordering::Relaxed);
    let archive = url.strip_prefix("file://").ok_or("not a file")?;
    std::fs::create_dir_all(path).unwrap();
    let tar = std::process::Command::new("tar")
        .args(["-xzf", archive, "-C", path])
        .status()
        .unwrap();
    tar.success().then_some(()).ok_or("tar failed".to_string())
}

pub fn make_file_executable(path: &str) -> Result<()> {
    use std::os::unix::fs::PermissionsExt;
    std::fs::set_permissions(path, std::fs::Permissions::from_mode(0o755))
        .map_err(|error| error.to_string())
}

pub trait Extension {
    fn new() -> Self
    where
        Self: Sized;
    fn language_server_command(
        &mut self,
        id: &LanguageServerId,
        worktree: &Worktree,
    ) -> Result<Command>;
    fn language_server_initialization_options(
        &mut self,
        id: &LanguageServerId,
        worktree: &Worktree,
    ) -> Result<Option<serde_json::Value>>;
    fn language_server_workspace_configuration(
        &mut self,
        id: &LanguageServerId,
        worktree: &Worktree,
    ) -> Result<Option<serde_json::Value>>;
}

#[macro_export]
macro_rules! register_extension {
    ($extension:ty) => {
        pub fn extension() -> impl $crate::Extension {
            <$extension as $crate::Extension>::new()
        }
    };
}
