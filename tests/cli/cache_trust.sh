# The cache answers for the present file, takes nothing from other users, follows no link, and
# serves any number of programs at once, however small it is.

# tiny FILE LETTER: a small trace of that state.
tiny() {
    {
        paje_definitions SetState
        printf '0 N 0 Node\n1 S N State\n'
        for i in 1 2 3; do printf '2 0 n%d N 0 n%d\n3 0 S n%d %s\n3 %d S n%d %s2\n' $i $i $i "$2" \
            $i $i "$2"; done
    } >"$1"
}
state_of() { cli info --csv "$@" | awk -F, '$1 == "state" && $3 != "" { print $3; exit }'; }

# --- A changed trace

tiny a.trace a && tiny b.trace b
touch -d '2020-02-02 02:02:02' a.trace b.trace
same "sizes" "$(stat -c %s a.trace)" "$(stat -c %s b.trace)"
cp -p a.trace run.trace
same "the first" a "$(state_of run.trace 2>/dev/null)"
cp -p b.trace run.trace # the same file, size and time
same "another content of the same size and time" b "$(state_of run.trace 2>/dev/null)"
cp -p a.trace new.trace && mv new.trace run.trace # another file
same "another file of the same size and time" a "$(state_of run.trace 2>/dev/null)"
state_of run.trace 2>says.err >/dev/null
has says.err 'was imported before'
# A trace.db, and what is kept of it: pages are exchanged below the same uid.
cli import a.trace -o run.db >/dev/null
cli sweep run.db >before
touch -d '2020-02-02 02:02:02' run.db
cli sweep run.db >before
cp -p run.db copy.db
answers() { find "$XDG_CACHE_HOME" -name 'sweep-*' | wc -l; }
kept=$(answers)
cp -p copy.db run.db
cli sweep run.db | cmp -s before - || fail "another answer"
same "answers to a trace.db that was written anew" 1 $(($(answers) - kept))
cli sweep run.db >/dev/null
same "answers to one that was not" 1 $(($(answers) - kept))
# Of a trace in the cache, answers are found although its file is used.
cli sweep run.trace >/dev/null 2>&1
kept=$(answers)
cli info run.trace >/dev/null 2>&1
cli sweep run.trace >/dev/null 2>&1
same "answers to a trace in the cache" "$kept" "$(answers)"

# --- Traces of older programs

# What another version kept is imported anew, without a word about it but the usual one.
tiny older.trace a
cli info --csv older.trace >now 2>says.err
kept=$(echo "$XDG_CACHE_HOME"/ocelotl/older.trace-*.db)
older() { # CHANGE MESSAGE
    local change=$1
    sqlite3 "$kept" "$change"
    cp "$kept" older.db
    refused 1 "$2" info older.db
    cli info --csv older.trace 2>says.err | cmp -s now - || fail "$change: another answer"
    has says.err 'imported older.trace into'
    same "$change: what is kept" 3 "$(sqlite3 "$kept" 'PRAGMA user_version')"
}
older 'PRAGMA user_version = 2' \
    'version 2, expected 3; import the trace again: ocelotl-cli import --force TRACE -o older.db'
older 'DROP TABLE dictionary' 'has been changed: the table "dictionary" is missing'
older 'ALTER TABLE chunk DROP COLUMN durations' 'has been changed: the table "chunk" is another'

# --- The owner of the folder, and the users that may write it

alone='is imported for this run alone'
distrusts() { # REASON ARGUMENT...
    local reason=$1
    shift
    same "the state, $reason" a "$(state_of "$@" run.trace 2>says.err)"
    same "what is said, $reason" "ocelotl-cli: cannot use the cache: $reason; run.trace $alone" \
        "$(cat says.err)"
}
export XDG_CACHE_HOME=$folder/own
mkdir own
state_of run.trace >/dev/null 2>&1
same "rights of the folder" 700 "$(stat -c %a own/ocelotl)"
same "rights of the files" 600 "$(stat -c %a own/ocelotl/* | sort -u)"
(umask 0 && cli sweep a.trace >/dev/null 2>&1 && cli info b.trace >/dev/null 2>&1)
same "rights of the files without a mask" 600 "$(stat -c %a own/ocelotl/* | sort -u)"
chmod 755 own/ocelotl
state_of run.trace >/dev/null 2>says.err
has says.err 'was imported before'
same "rights of a folder that others could read" 700 "$(stat -c %a own/ocelotl)"
for rights in 777 1777 770; do
    chmod $rights own/ocelotl
    distrusts "$folder/own/ocelotl: others may write it; empty it, or remove it"
    refused 1 "cannot use the cache: $folder/own/ocelotl: others may write it" cache
    cli sweep run.trace >/dev/null 2>&1 || fail "no answer beside a cache of rights $rights"
done
chmod 700 own/ocelotl
chmod 777 own
distrusts "$folder/own: everybody may rename what is in it"
chmod 1777 own
state_of run.trace 2>&1 >/dev/null | grep -q 'was imported before' || fail "a folder like /tmp"
chmod 755 own
mv own/ocelotl elsewhere && ln -s "$folder/elsewhere" own/ocelotl
distrusts "$folder/own/ocelotl: is a link, expected a folder (XDG_CACHE_HOME says where it is)"
rm own/ocelotl && mv elsewhere own/ocelotl
ln -s own near && ln -s "$folder/near" far
XDG_CACHE_HOME=$folder/far state_of run.trace 2>&1 >/dev/null | grep -q 'was imported before' ||
    fail "links of the user"
ln -s round trip && ln -s trip round
XDG_CACHE_HOME=$folder/round state_of run.trace 2>says.err >/dev/null
has says.err "Too many levels of symbolic links; run.trace $alone"
if [ "$(id -u)" -eq 0 ]; then
    chown 65534 own/ocelotl
    distrusts "$folder/own/ocelotl: belongs to another user"
    [ -z "$(find own/ocelotl -newer says.err)" ] || fail "the folder of another user was written"
    chown 0 own/ocelotl
    chown -h 65534 near
    XDG_CACHE_HOME=$folder/far distrusts "$folder/near: is a link of another user"
fi

# --- What is planted in it

entry=$(find own -name 'run.trace-*.db')
echo precious >precious
for plant in 'ln -s ../../precious' 'ln -s ../../nowhere' 'mkfifo'; do
    rm -f "$entry"
    $plant "$entry"
    same "the state, $plant" a "$(state_of run.trace 2>says.err)"
    same "what a link leads to" precious "$(cat precious)"
    [ ! -e nowhere ] || fail "a link was followed"
    [ -f "$entry" ] && [ ! -L "$entry" ] || fail "$plant: not replaced"
done
cli sweep run.trace >expected 2>/dev/null
answer=$(find own -name 'sweep-*.answer' -newer says.err | head -1)
mv "$answer" planted && ln -s "$folder/planted" "$answer"
sed -i 's/0\./1./' planted
cli sweep run.trace 2>/dev/null | cmp -s expected - || fail "an answer behind a link was taken"
[ ! -L "$answer" ] || fail "a link in place of an answer stays"
rm -f "$entry" && mkdir -p "$entry/deep/er" && ln -s "$folder/precious" "$entry/deep/link"
same "the state, a folder" a "$(state_of run.trace 2>says.err)"
has says.err 'imported run.trace into'
[ -f "$entry" ] && [ "$(cat precious)" = precious ] || fail "a folder in the cache: not replaced"
# Another user's file, as an earlier owner of the folder could have left it.
if [ "$(id -u)" -eq 0 ]; then
    state_of run.trace >/dev/null 2>&1
    cli import b.trace --force -o "$entry" >/dev/null
    chown 65534 "$entry"
    same "the state, a file of another user" a "$(state_of run.trace 2>/dev/null)"
    same "whose it is now" 0 "$(stat -c %u "$entry")"
fi

# --- Many at once, in a cache that holds none of it

for i in 1 2 3; do tiny "many-$i.trace" "s$i"; done
for limit in 0 1 100K 1G; do
    export OCELOTL_CACHE_LIMIT=$limit XDG_CACHE_HOME=$folder/many-$limit
    for round in 1 2 3; do
        for job in $(seq 12); do
            i=$((job % 3 + 1))
            case $((job % 4)) in
            0) (state_of "many-$i.trace" >"state-$job" 2>"err-$job" ||
                echo "failed" >"state-$job") & ;;
            1) (cli sweep "many-$i.trace" >/dev/null 2>"err-$job" && echo "s$i" >"state-$job" ||
                echo failed >"state-$job") & ;;
            2) (cli --json "many-$i.trace" 2>"err-$job" | grep -q "\"s${i}2*\"" &&
                echo "s$i" >"state-$job" || echo failed >"state-$job") & ;;
            3) (cli sql --csv "many-$i.trace" \
                "SELECT DISTINCT value FROM events WHERE length(value) = 2" 2>"err-$job" |
                tail -n 1 >"state-$job") & ;;
            esac
        done
        [ "$round" -ne 3 ] || { cli cache --clear >/dev/null 2>&1 || true; }
        wait
        for job in $(seq 12); do
            same "limit $limit, round $round, program $job ($(cat "err-$job"))" \
                "s$((job % 3 + 1))" "$(cat "state-$job")"
        done
    done
    no_rest "limit $limit"
    cli cache --clear >/dev/null || fail "cannot be emptied when nobody uses it"
    same "what is left" "" "$(find "$XDG_CACHE_HOME/ocelotl" -type f)"
done
unset OCELOTL_CACHE_LIMIT
# One that is used is not removed, and is in the next moment.
export XDG_CACHE_HOME=$folder/held
tiny long.trace a
cli info long.trace >/dev/null 2>&1
mkfifo gate
cli sql --csv long.trace "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n
    WHERE i < 100000) SELECT i FROM n" -o gate >/dev/null 2>&1 &
job=$!
exec 7<gate
read -r line <&7 # it is answering, and a pipe does not hold all of the answer
! cli cache --clear >/dev/null 2>says.err || fail "a trace that is used was removed"
has says.err 'files are in use'
cat <&7 >/dev/null
exec 7<&-
wait "$job" || fail "a trace that was to be removed"
cli cache --clear >/dev/null || fail "not removed afterwards"

# --- The temporary folder is emptied, not a file or folder put in its place

mkdir tmp victim
touch victim/trace.db-1.db
export TMPDIR=$folder/tmp
mkfifo hold
(cli info --no-cache - <hold >/dev/null 2>&1 || true) &
job=$!
exec 9>hold
for _ in $(seq 3000); do [ -z "$(ls tmp)" ] && sleep 0.1 || break; done
made=$(ls tmp)
same "rights of the temporary folder" 700 "$(stat -c %a "tmp/$made")"
mv "tmp/$made" away && ln -s "$folder/victim" "tmp/$made"
exec 9>&-
wait "$job"
[ -e victim/trace.db-1.db ] || fail "what a planted link leads to was emptied"
unset TMPDIR
