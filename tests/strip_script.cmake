# What strip_script takes from a script, and what it must leave: cmake -P tests/strip_script.cmake
include(${CMAKE_CURRENT_LIST_DIR}/../cmake/strip.cmake)

function(expect given wanted)
  strip_script(given)
  if(NOT given STREQUAL wanted)
    message(SEND_ERROR "strip_script gives\n${given}\nexpected\n${wanted}")
  endif()
endfunction()

expect([==[/* a comment, isn't it?
 * of two lines **/
const list = [1, 2];

    if (list [0] === 1 && x / y < 2)
        return - x;
]==] [==[

const list=[1,2];
if(list[0]===1&&x/y<2)
return-x;
]==])
expect([==[a = 'it\'s /* not */ a = comment; [ ' + ` b = ${c + ' d '}
    \` e ; `;]==] [==[a='it\'s /* not */ a = comment; [ '+` b = ${c + ' d '}
\` e ; `;]==])
expect([==[found = /^ '[a-z] = \/ (\d+)$/.exec(text); say(/ , /.test('x'), a / b, c / d)]==]
  [==[found = /^ '[a-z] = \/ (\d+)$/.exec(text);say(/ , /.test('x'),a/b,c/d)]==])
expect("a + +b - -c + ++d" "a + +b - -c + ++d")
expect("for (const one of all) {}" "for(const one of all){}")
