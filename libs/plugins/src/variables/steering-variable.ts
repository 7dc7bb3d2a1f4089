/**
 * Names that decide how programs are found, loaded or configured, in shells, dynamic linkers, languages and the tools that
 * plugins run. Where the names of variables are chosen by others than the operator no such list can be complete.
 */
const steeringNames = new RegExp(
  `^(?:${[
    'PATH|HOME|TMPDIR|TEMP|TMP|PWD|OLDPWD|CDPATH|SHELL|ENV|IFS|PS\\d|OPTIND|PROMPT_COMMAND|SHELLOPTS|BASHOPTS|ZDOTDIR|BASH_.*',
    'EDITOR|VISUAL|PAGER|MANPAGER|BROWSER|LESS|LESSOPEN|LESSCLOSE|KUBECONFIG|GNUPGHOME|TAR_OPTIONS|GZIP|XZ_OPT|ZSTD_\\w*|UNZIP|ZIPOPT',
    'SSL_CERT_(?:FILE|DIR)|OPENSSL_(?:CONF|MODULES|ENGINES)|CURL_(?:CA_BUNDLE|HOME)|REQUESTS_CA_BUNDLE|NETRC|WGETRC',
    'GCONV_PATH|LOCPATH|NLSPATH|HOSTALIASES|GLIBC_TUNABLES|MALLOC_\\w*|(?:LD|DYLD)_\\w*',
    'PYTHON[A-Z]+|(?:PIP|UV|VIRTUAL)_\\w*|PERL(?:5?LIB|5OPT|5DB|5SHELL)|RUBY(?:OPT|LIB)|(?:GEM|BUNDLE)_\\w*|LUA_\\w*|PHPRC|PHP_INI_SCAN_DIR',
    '(?:JAVA_TOOL|_JAVA|JDK_JAVA|MAVEN|GRADLE|JAVA|SBT)_OPT\\w*|JAVA_HOME|CLASSPATH|MAVEN_(?:ARGS|CONFIG)|GODEBUG|GO(?:FLAGS|PATH|ROOT|PROXY|NOSUMDB)',
    'MAKEFLAGS|MFLAGS|GNUMAKEFLAGS|MAKEFILES|CC|CXX|(?:C|CXX|LD|CPP)FLAGS|JSONNET_PATH|CUE_\\w*|RUSTC?_\\w*|CARGO_\\w*|TF_\\w*|ANSIBLE_\\w*',
    '(?:XDG|NODE|NPM_CONFIG|BUN|DENO|YARN|COREPACK|PERL5?|GIT|SSH|HELM|HELMFILE|KUSTOMIZE|SOPS|AVP|AGE|AWS|GOOGLE|AZURE|VAULT|DOCKER|WADI)_\\w*',
    '(?:ARGOCD|PARAM|KUBE)_\\w*|SOCKS5_\\w*',
    '\\w*_PROXY',
  ].join('|')})$`,
  'is',
)

/** True if a variable of this name may decide how programs start or work, in any letter case, as some programs read `https_proxy`. */
export function isSteeringVariable(name: string): boolean {
  return steeringNames.test(name)
}
