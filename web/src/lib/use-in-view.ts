import { type RefObject, useEffect, useRef, useState } from 'react';

/** How far outside the window an element already counts as in view, so that it has loaded when it gets there. */
const rootMargin = '200px 0px';

/** Whether the element with this ref is in view. */
export function useInView<E extends Element>(): [RefObject<E | null>, boolean] {
  const ref = useRef<E>(null);
  const [inView, setInView] = useState(false);
  useEffect(() => {
    if (!ref.current) return;
    const observer = new IntersectionObserver(
      (entries) => setInView(entries.at(-1)?.isIntersecting ?? false),
      { rootMargin },
    );
    observer.observe(ref.current);
    return () => observer.disconnect();
  }, []);
  return [ref, inView];
}
