import { useRouter } from '@tanstack/react-router'
import type { MouseEvent } from 'react'
import classes from './application-list.module.css'

/** A link to an Application that costs less to draw than the router's, which follows the address of the page. */
export function OpenLink({ namespace, name }: { namespace: string; name: string }) {
  const router = useRouter()
  const target = { to: '/applications/$namespace/$name', params: { namespace, name } } as const
  const follow = (event: MouseEvent) => {
    // The browser opens another tab or window.
    if (event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return
    event.preventDefault()
    void router.navigate(target)
  }
  return (
    <a
      href={`/applications/${encodeURIComponent(namespace)}/${encodeURIComponent(name)}`}
      className={classes.link}
      onClick={follow}
      onPointerEnter={() => void router.preloadRoute(target)}
    >
      {name}
    </a>
  )
}
