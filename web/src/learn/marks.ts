// Marks what is meant (data-meant), whatever of the table is drawn anew.
import type { Attachment } from 'svelte/attachments';

export function marks(selector: () => string, onmark: (first: Element | null) => void): Attachment {
  return (root) => {
    let before = '';
    const mark = () => {
      const wanted = selector();
      const meant = wanted ? [...root.querySelectorAll<HTMLElement>(wanted)] : [];
      for (const one of root.querySelectorAll<HTMLElement>('[data-meant]'))
        if (!meant.includes(one)) delete one.dataset.meant;
      for (const one of meant) one.dataset.meant = '';
      const first = meant.find((one) => one.getClientRects().length > 0) ?? null;
      if (first && wanted !== before) first.scrollIntoView({ block: 'nearest' });
      if (first) before = wanted;
      onmark(first);
    };
    const changes = new MutationObserver(mark);
    changes.observe(root, {
      childList: true,
      subtree: true,
      attributeFilter: ['class', 'open'],
    });
    mark();
    return () => changes.disconnect();
  };
}
