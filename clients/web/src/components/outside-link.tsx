import { Anchor, Text } from '@mantine/core'
import { GivenText } from './given-text.tsx'

/** A link to a page of somebody else, in another tab; the words alone when its address is none of the web. */
export function OutsideLink({ url, words }: { url: string; words: string }) {
  const visible = <GivenText text={words} />
  if (!/^https?:\/\//.test(url)) return <Text size="sm">{visible}</Text>
  return (
    <Anchor href={url} target="_blank" rel="noreferrer" size="sm">
      {visible}
    </Anchor>
  )
}
