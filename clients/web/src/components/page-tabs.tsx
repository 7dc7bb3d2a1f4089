import { Tabs } from '@mantine/core'
import { useWindowEvent } from '@mantine/hooks'
import { type ReactNode, useEffect, useRef } from 'react'
import classes from './page-tabs.module.css'

interface PageTabsProps {
  /** Their names in the address with what they are called, in their order. */
  tabs: readonly (readonly [value: string, label: string])[]
  chosen: string
  choose: (value: string | null) => void
  /** The content of the chosen one. */
  children: ReactNode
}

/** The parts of a page, on one line that scrolls where there is no room for all. */
export function PageTabs({ tabs, chosen, choose, children }: PageTabsProps) {
  const list = useRef<HTMLDivElement>(null)
  const place = tabs.findIndex(([value]) => value === chosen)
  useEffect(() => show(list.current, place), [place])
  useWindowEvent('resize', () => show(list.current, place))
  return (
    <Tabs
      value={chosen}
      onChange={choose}
      keepMounted={false}
      classNames={{ list: classes.list, tab: classes.tab }}
    >
      <Tabs.List mb="md" ref={list}>
        {tabs.map(([value, label]) => (
          <Tabs.Tab key={value} value={value}>
            {label}
          </Tabs.Tab>
        ))}
      </Tabs.List>
      <Tabs.Panel value={chosen}>{children}</Tabs.Panel>
    </Tabs>
  )
}

/** Scrolls the list so that a tab is in sight. */
function show(list: HTMLElement | null, place: number): void {
  list?.children[place]?.scrollIntoView({ block: 'nearest', inline: 'nearest' })
}
