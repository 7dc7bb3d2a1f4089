const clock = 'reads the clock, so the same commit would render differently'
const chance = 'is random, so the same commit would render differently'
const secretFromChance = 'makes secrets from chance, so the same commit would render differently'
const environment = 'reads the environment of the machine, so the same commit would render differently'

/** Functions of sprig that no template has, each with the reason: what it does and why that does not work in git. */
export const leftOutFunctions: ReadonlyMap<string, string> = new Map([
  ...reasons('now ago date dateInZone date_in_zone durationRound', clock),
  ...reasons('randAlphaNum randAlpha randAscii randNumeric randBytes randInt uuidv4 shuffle', chance),
  ...reasons(
    `bcrypt htpasswd encryptAES genPrivateKey genCA genCAWithKey genSelfSignedCert genSelfSignedCertWithKey
    genSignedCert genSignedCertWithKey`,
    secretFromChance,
  ),
  ...reasons('env expandenv', environment),
  ['getHostByName', 'asks the network, so the same commit would render differently'],
  ['derivePassword', 'needs a master password, and both that and its result would be readable in git'],
  ['decryptAES', 'needs a key, and both that and its result would be readable in git'],
])

function reasons(names: string, reason: string): [string, string][] {
  return names.split(/\s+/).map((name) => [name, reason])
}
