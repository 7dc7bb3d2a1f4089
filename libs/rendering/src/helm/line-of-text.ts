/** The line on which a part of a text first stands, from 1; 1 too when it stands nowhere in this spelling. */
export function lineOfText(text: string, part: string): number {
  return text.slice(0, Math.max(0, text.indexOf(part))).split('\n').length
}
