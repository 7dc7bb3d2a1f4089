const signatureTag = 2
const literalTag = 11

/**
 * Joins a detached OpenPGP signature and its text to a message that holds both, as gpg can verify many of these in one run; undefined for
 * armour that holds anything but one signature: with a text of its own, gpg would verify that one.
 */
export function signedMessage(armoured: string, text: Buffer): Buffer | undefined {
  const [, body = ''] =
    /^-----BEGIN PGP SIGNATURE-----\n(?:[^\n]*: [^\n]*\n)*\n([A-Za-z0-9+/=\n]+?)(?:\n=[A-Za-z0-9+/]{4})?\n-----END PGP SIGNATURE-----\s*$/.exec(
      armoured,
    ) ?? []
  const signature = Buffer.from(body, 'base64')
  if (!isOneSignature(signature)) return undefined
  // Binary, without a name and a date.
  const literal = Buffer.concat([Buffer.from([0x62, 0, 0, 0, 0, 0]), text])
  const header = Buffer.alloc(6)
  header[0] = 0xc0 | literalTag
  header[1] = 0xff
  header.writeUInt32BE(literal.length, 2)
  return Buffer.concat([signature, header, literal])
}

/** Returns true if bytes are one whole packet with a signature. */
function isOneSignature(bytes: Buffer): boolean {
  const [first = 0, second = 0, third = 0] = bytes
  if (bytes.length < 6) return false
  if (first === (0xc0 | signatureTag)) {
    if (second < 192) return bytes.length === 2 + second
    if (second < 224) return bytes.length === 3 + ((second - 192) << 8) + third + 192
    return second === 255 && bytes.length === 6 + bytes.readUInt32BE(2)
  }
  if (first === (0x80 | (signatureTag << 2))) return bytes.length === 2 + second
  if (first === (0x81 | (signatureTag << 2))) return bytes.length === 3 + bytes.readUInt16BE(1)
  return first === (0x82 | (signatureTag << 2)) && bytes.length === 5 + bytes.readUInt32BE(1)
}
