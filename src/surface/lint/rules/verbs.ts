/** Words with which the name of something that is done begins, or of a question that is answered. */
export const VERBS: ReadonlySet<string> = new Set(
  `accept acknowledge activate add adjust aggregate allocate allow analyze analyse answer apply approve archive assign attach audit authorize back
ban batch begin block book browse build calculate call cancel capture change charge check checkout choose claim classify clean clear clone close
collect comment commit compare complete compute confirm connect convert copy count create cut deactivate decline define delete deliver deploy
describe detach detect determine diff disable discard dispatch download draft drop duplicate echo edit email enable end enrich enroll ensure enter
estimate evaluate examine exchange execute expand expire explain explore export extend extract fail fetch fill filter find finish fix flag follow
forecast fork format forward generate get give grant group guess hide hold identify ignore import index inspect install invite invoke issue join
keep kill label launch leave link list load locate lock log look lookup mail make map mark match measure merge mint modify monitor move mute name
notify open order outline override pack park patch pause pay perform pick pin ping place plan play point poll post predict prepare preview print
process promote propose provision publish pull purchase purge push put quarantine query queue quote raise rank rate react read rebuild recall
receive recommend record recover redeem redo refresh refund register reject release reload remind remove rename renew reopen reorder repair
replace replay reply report request rerun reschedule reserve reset resize resolve respond restart restore resume retire retrieve retry return
revert review revoke roll rotate route run sample save scale scan schedule score search see select send set share ship show shut sign simulate
skip snooze solve sort split stage star start state stop store stream submit subscribe suggest sum summarise summarize suspend switch sync tag
tail take tell terminate test track trace train transfer transform translate trigger try turn unarchive unassign unban unblock undo unfollow
uninstall unlink unlock unmute unpin unpublish unregister unschedule unshare unstar unsubscribe untag update upgrade upload upsert use validate
verify view vote void wait walk watch withdraw write
what when where which who why how is are has have can does`.split(/\s+/),
);

/** Verbs that mean one thing: a list that uses two of them makes agents look for a difference. */
export const SAME_VERBS: readonly (readonly string[])[] = [
  ["get", "fetch", "retrieve"],
  ["list", "enumerate"],
  ["search", "find"],
  ["create", "make"],
  ["update", "edit", "modify"],
  ["delete", "erase"],
  ["run", "execute", "perform"],
];
