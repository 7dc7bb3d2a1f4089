import assert from 'node:assert/strict'
import { generateKeyPairSync } from 'node:crypto'
import { test } from 'node:test'
import { secretsGate } from './secrets-gate.ts'

const capitals = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ'
const letters = capitals + capitals.toLowerCase()
const digits = '0123456789'
const hex = `${digits}abcdef`
const base32 = `${capitals}234567`
const base64 = `${letters}${digits}+/`

let state = 12_345

/** Returns the same made-up text in every run. */
function some(length: number, alphabet = letters + digits): string {
  return Array.from({ length }, () => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648
    return alphabet[Math.floor((state / 2_147_483_648) * alphabet.length)]
  }).join('')
}

/** Puts a prefix together that scanners of source code know. */
function joined(...parts: readonly string[]): string {
  return parts.join('')
}

const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey
const curve = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey
const pkcs8 = rsa.export({ type: 'pkcs8', format: 'pem' })

/** The key of a ConfigMap and the value, by kind of credential. */
const found: Record<string, readonly [key: string, value: string]> = {
  'AWS secret access key': ['AWS_SECRET_ACCESS_KEY', some(40, base64)],
  'Google service account': ['key.json', JSON.stringify({ type: 'service_account', private_key: pkcs8 })],
  'Google API key': ['GOOGLE_API_KEY', joined('AI', `za${some(35)}`)],
  'OAuth client secret': ['CLIENT_SECRET', some(28)],
  'RSA private key': ['id_rsa', rsa.export({ type: 'pkcs1', format: 'pem' })],
  'EC private key': ['ec.pem', curve.export({ type: 'sec1', format: 'pem' })],
  'PKCS #8 private key': ['tls.key', pkcs8],
  'npm token': ['.npmrc', `//packages.example.com/:_authToken=npm_${some(36)}`],
  'URL with a password': ['REMOTE', `https://shop:${some(12)}@git.example.org/shop.git`],
  'Slack bot token': ['SLACK', joined('xo', `xb-${some(12, digits)}-${some(12, digits)}-${some(24)}`)],
  'Slack webhook': [
    'SLACK',
    `https://hooks.slack.com/services/T${some(8, base32)}/B${some(8, base32)}/${some(24)}`,
  ],
  'SendGrid key': ['MAIL', joined('S', `G.${some(22)}.${some(43)}`)],
  'Shopify token': ['SHOPIFY', joined('sh', `pat_${some(32, hex)}`)],
  'Stripe secret key': ['STRIPE', joined('sk', `_live_${some(24)}`)],
  'GitHub token': ['GITHUB', joined('gh', `p_${some(36)}`)],
  'fine-grained GitHub token': ['GITHUB', joined('github', `_pat_${some(22)}_${some(59)}`)],
  'GitLab token': ['GITLAB', joined('gl', `pat-${some(20)}`)],
  'Grafana token': ['GRAFANA', joined('gl', `sa_${some(32)}_${some(8, hex)}`)],
  'OpenAI key': ['OPENAI', joined('sk', `-proj-${some(74)}T3BlbkFJ${some(74)}`)],
  'Anthropic key': ['ANTHROPIC', joined('sk', `-ant-api03-${some(93)}AA`)],
  'Groq key': ['GROQ', joined('gs', `k_${some(52)}`)],
  'Hugging Face token': ['HUGGING_FACE', joined('h', `f_${some(34, letters)}`)],
  'PostgreSQL URL': ['DATABASE', `postgres://shop:${some(14)}@db.shop.svc:5432/orders`],
  'MySQL URL': ['DATABASE', `mysql://shop:${some(14)}@db.shop.svc:3306/orders`],
  'MongoDB URL': ['DATABASE', `mongodb+srv://shop:${some(14)}@db.shop.svc/orders`],
  'Redis URL': ['CACHE', `redis://:${some(14)}@redis.shop.svc:6379/0`],
  'AMQP URL': ['QUEUE', `amqp://shop:${some(14)}@queue.shop.svc:5672/`],
  'Vault token': ['VAULT', joined('hv', `s.${some(92)}`)],
  'Databricks token': ['DATABRICKS', joined('da', `pi${some(32, hex)}`)],
  'Docker Hub token': ['DOCKER', joined('dckr', `_pat_${some(27)}`)],
  'Tailscale key': ['TAILSCALE', joined('ts', `key-auth-${some(17)}-${some(32)}`)],
  'Cloudflare token': ['CLOUDFLARE_API_TOKEN', some(40)],
  'JSON Web Token': ['TOKEN', `eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.${some(43)}`],
  'DigitalOcean token': ['DIGITALOCEAN_TOKEN', joined('do', `p_v1_${some(64, hex)}`)],
  'password variable': ['DB_PASSWORD', some(16)],
  'API key variable': ['API_KEY', some(32)],
}

const missed: typeof found = {
  'AWS access key id': ['AWS_ACCESS_KEY_ID', joined('AK', `IA${some(16, base32)}`)],
  'Azure storage key': ['AZURE', `AccountName=shop;AccountKey=${some(86, base64)}==`],
  'PyPI token': ['PYPI', joined('py', `pi-AgEIcHlwaS5vcmc${some(120)}`)],
  'Telegram bot token': ['BOT', `${some(9, '123456789')}:AA${some(33)}`],
  'Twilio key': ['TWILIO', `SK${some(32, hex)}`],
  'age key': ['keys.txt', `AGE-SECRET-KEY-1${some(58, base32)}`],
  'Docker configuration': ['config.json', JSON.stringify({ auths: { 'example.org': { auth: some(24) } } })],
  'password in a properties file': ['app.properties', `db.user=shop\ndb.password=${some(16)}\n`],
  'password in YAML': ['config.yaml', `db:\n  user: shop\n  password: ${some(16)}\n`],
  'password in an argument': ['ARGUMENTS', `--password=${some(16)}`],
}

async function isFound([key, value]: readonly [key: string, value: string]): Promise<boolean> {
  const manifest = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'web' }, data: { [key]: value } }
  const [violations = []] = await secretsGate.check([manifest], { cluster: { minorVersion: 30 } })
  return violations.length > 0
}

test('of 46 kinds of made-up credentials in a ConfigMap 36 are found, as the guide says', async () => {
  const kinds = Object.entries({ ...found, ...missed })
  const results = await Promise.all(
    kinds.map(async ([kind, example]) => ({ kind, is: await isFound(example) })),
  )
  assert.deepEqual(
    results.filter(({ is }) => !is).map(({ kind }) => kind),
    Object.keys(missed),
  )
  assert.deepEqual([Object.keys(found).length, kinds.length], [36, 46])
})
