/** What an operation that says so does whatever its method is: some APIs delete by GET. */
export const CHANGES: ReadonlySet<string> = new Set(
  `add approve archive cancel clear close create delete destroy disable dismiss enable end install invite join kick leave mark open post publish purge
push remove rename reset restart revoke schedule send set share start stop submit trigger unarchive uninstall unpin update upload write`.split(
    /\s+/,
  ),
);

/** Also these, at the end of a path: `/pulls/{number}/merge`. */
const ACTIONS: ReadonlySet<string> = new Set(
  `accept activate assign block capture complete confirm copy deactivate decline flush rebuild deploy duplicate finalize finish lock merge move mute notify pause pay pin
publish reboot rectify refund reject reopen replay resolve restore resume retry rollback run suspend sync transfer transition unassign unblock unlock unmute
unpublish verify void`.split(/\s+/),
);

export function isAction(word: string): boolean {
  return CHANGES.has(word) || ACTIONS.has(word);
}

/** What is gone then. */
export function destroys(word: string): boolean {
  return /^(delete|destroy|purge|remove|revoke|void)$/.test(word);
}
