# What a flake makes of a substitute for nixpkgs, for `nix-instantiate --eval --strict --json --argstr flake PATH`.
{ flake }:
let
  system.stdenvNoCC.mkDerivation = arguments: arguments;
  system.fetchurl = arguments: arguments;
  nixpkgs = {
    legacyPackages.x86_64-linux = system;
    legacyPackages.aarch64-linux = system;
    lib.licenses.mit = "MIT";
    lib.sourceTypes.binaryNativeCode = "binaryNativeCode";
  };
  outputs = (import flake).outputs {
    inherit nixpkgs;
    self = outputs;
  };
in
outputs.packages
