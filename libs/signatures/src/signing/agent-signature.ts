import { connect } from 'node:net'
import { SshFields, sshString } from '../ssh-signature.ts'

/** The messages of the protocol of ssh-agent that ask for a signature and bring it. */
const signRequest = 13
const signResponse = 14
/** Asks for SHA-256 of an RSA key, which would else sign with SHA-1. */
const rsaWithSha256 = 2
/** People may have to touch a hardware key. */
const timeoutMs = 60_000
const maxAnswerBytes = 64 * 1024

/**
 * Asks an ssh-agent for a signature over some bytes themselves, in SSH's encoding; undefined if it gives none.
 * @param publicKey in SSH's encoding
 */
export async function agentSignature(
  socket: string,
  publicKey: Buffer,
  bytes: Buffer,
  signal?: AbortSignal,
): Promise<Buffer | undefined> {
  const flags = Buffer.from([0, 0, 0, rsaWithSha256])
  const request = Buffer.concat([Buffer.from([signRequest]), sshString(publicKey), sshString(bytes), flags])
  const answer = await ask(socket, sshString(request), signal)
  if (answer[0] !== signResponse) return undefined
  return new SshFields(answer, 1).string()
}

/** Sends a message and returns the next one, without its length; what was received of one that is cut off. */
async function ask(socket: string, message: Buffer, signal: AbortSignal | undefined): Promise<Buffer> {
  const ended = AbortSignal.any([AbortSignal.timeout(timeoutMs), ...(signal ? [signal] : [])])
  const connection = connect({ path: socket, signal: ended })
  connection.write(message)
  let received = Buffer.alloc(0)
  for await (const chunk of connection as AsyncIterable<Buffer>) {
    received = Buffer.concat([received, chunk])
    const isWhole = received.length >= 4 && received.length >= 4 + received.readUInt32BE(0)
    if (isWhole || received.length > maxAnswerBytes) break
  }
  return received.subarray(4)
}
