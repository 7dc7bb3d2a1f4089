/** The configuration of gpg: it starts no agent by itself, asks no network and trusts the keys of its keyring. */
export const gpgConfiguration = [
  'batch',
  'no-tty',
  'no-autostart',
  'disable-dirmngr',
  'no-auto-key-retrieve',
  'auto-key-locate clear',
  'trust-model always',
  'no-permission-warning',
].join('\n')
