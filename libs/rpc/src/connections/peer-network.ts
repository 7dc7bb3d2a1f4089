/**
 * Names the network that an address belongs to: itself, or the /64 of an IPv6 address, since one household or company
 * has all of it. Spellings of one address and ports, which some proxies report too, make no difference.
 */
export function peerNetwork(address: string): string {
  const host = /^\[(.*)\](?::\d+)?$/.exec(address)?.[1] ?? address.replace(/^([\d.]+):\d+$/, '$1')
  const url = host.includes(':') ? URL.parse(`http://[${host}]`) : null
  if (!url) return host
  const [head = '', tail] = url.hostname.slice(1, -1).split('::')
  const groups = head.split(':').filter((group) => group !== '')
  const rest = (tail ?? '').split(':').filter((group) => group !== '')
  const zeros = Array.from({ length: 8 - groups.length - rest.length }, () => '0')
  const all = [...groups, ...zeros, ...rest]
  const isMapped = all.slice(0, 6).join(':') === '0:0:0:0:0:ffff'
  return (isMapped ? all : all.slice(0, 4)).join(':')
}
