# Not tried with Nix's builder: evaluated with a substitute for nixpkgs, and its install phase was run by hand.
{
  description = "Language server for tracked Markdown editing with CriticMarkup";

  inputs.nixpkgs.url = "github:NixOS/nixpkgs/nixos-unstable";

  outputs =
    { self, nixpkgs }:
    let
      version = "@VERSION@";
      sums = {
        x86_64-linux = "@SHA256_X86_64@";
        aarch64-linux = "@SHA256_AARCH64@";
      };
      # The release's program, which is static: it needs nothing of nixpkgs, and no Swift to build it.
      package =
        system: sha256:
        let
          pkgs = nixpkgs.legacyPackages.${system};
          name = "critic-lsp-v${version}-${system}";
        in
        pkgs.stdenvNoCC.mkDerivation {
          pname = "critic-lsp";
          inherit version;
          src = pkgs.fetchurl {
            url = "@RELEASES@/${name}.tar.gz";
            inherit sha256;
          };
          sourceRoot = name;
          dontConfigure = true;
          dontBuild = true;
          installPhase = ''
            runHook preInstall
            install -Dm755 bin/critic-lsp -t $out/bin
            install -Dm644 LICENSE -t $out/share/licenses/critic-lsp
            cp -R share $out
            runHook postInstall
          '';
          meta = {
            description = "Language server for tracked Markdown editing with CriticMarkup";
            homepage = "@HOMEPAGE@";
            license = nixpkgs.lib.licenses.mit;
            sourceProvenance = [ nixpkgs.lib.sourceTypes.binaryNativeCode ];
            platforms = builtins.attrNames sums;
            mainProgram = "critic-lsp";
          };
        };
    in
    {
      packages = builtins.mapAttrs (system: sha256: { default = package system sha256; }) sums;
    };
}
