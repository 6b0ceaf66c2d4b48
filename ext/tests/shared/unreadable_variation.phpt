--TEST--
A value that cannot be read is a miss for every read, and is told of: class changed, gone, throwing; enum and case gone
--EXTENSIONS--
larder
--FILE--
<?php
/* The same segment, as two releases of an application see it. */
const BEFORE = <<<'PHP'
    final class Changed { public $views = 'many'; }
    final class Gone { public $name = 'a'; }
    final class Wakes { public int $n = 1; public function __wakeup(): void {} }
    final class Reads { public function __serialize(): array { return []; }
        public function __unserialize(array $a): void {} }
    enum Suit { case Hearts; case Clubs; }
    enum Lost { case One; }
    PHP;
const AFTER = <<<'PHP'
    final class Changed { public int $views = 0; }
    final class Wakes { public int $n = 1; public function __wakeup(): void { throw new DomainException('not now'); } }
    final class Reads { public function __serialize(): array { return []; }
        public function __unserialize(array $a): void { throw new RangeException("two\nlines"); } }
    enum Suit { case Clubs; }
    PHP;

$memory = new Larder\SharedMemory();
$child = pcntl_fork();
if ($child === 0) {
    eval(BEFORE);
    $memory->setMultiple([
        'changed' => new Changed(), 'gone' => ['deep' => [new Gone()], 'plain' => 1], 'wakes' => [new Wakes()],
        'reads' => new Reads(), 'case' => [Suit::Hearts], 'enum' => Lost::One, 'right' => [Suit::Clubs],
    ]);
    posix_kill(getmypid(), SIGKILL);
}
pcntl_waitpid($child, $status);
eval(AFTER);

/* Neither a warning nor a callback of the application's comes in between. */
set_error_handler(static function (int $level, string $text): never { throw new ErrorException($text); });
$told = [];
$first = static function (Larder\Failure $failure) use (&$told): void {
    $told[] = "{$failure->kind->name} {$failure->server} {$failure->key}";
    $GLOBALS['message'] = $failure->message;
};
var_dump($memory->reportTo($first));
foreach (['changed', 'gone', 'wakes', 'reads', 'case', 'enum'] as $key) {
    $told = [];
    $read = $memory->read($key);
    $leased = $memory->getOrLease($key);
    echo $key, ': ', json_encode([
        $memory->get($key, 'default'), $memory->fresh($key), $read->hit, $read->answered, $leased->hit,
        is_int($leased->lease), array_keys($memory->getMultiple([$key, 'right'])), $memory->has($key),
    ]), ' ', count($told), ' ', implode(', ', array_unique($told)), "\n    ", $message, "\n";
    var_dump($memory->set($key, 'anew', lease: $leased->lease), $memory->get($key));
}
var_dump($memory->get('right')[0] === Suit::Clubs);

/* What is told may use the store, throw, and name another. */
$memory->reportTo(static fn() => $memory->reportTo(null) === $first || throw new LogicException('told'));
$child = pcntl_fork();
if ($child === 0) {
    eval('final class Late {}');
    $memory->set('late', new Late());
    posix_kill(getmypid(), SIGKILL);
}
pcntl_waitpid($child, $status);
foreach ([1, 2] as $try) {
    try {
        var_dump($memory->get('late', 'default'));
    } catch (LogicException $exception) {
        echo $exception->getMessage(), "\n";
    }
}
var_dump($memory->reportTo($first), $memory->reportTo(null) === $first);

/* Where the application reads a gone class itself it gets what PHP gives. */
restore_error_handler();
var_dump(unserialize('O:4:"Late":0:{}')::class);
ini_set('unserialize_callback_func', 'define_late');
function define_late(string $class): void
{
    eval("final class $class { public \$made = 'late'; }");
}
var_dump($memory->get('late')->made);

/* A report that holds the store is no leak. */
$cyclic = new Larder\SharedMemory();
$cyclic->reportTo(static fn() => $cyclic);
unset($cyclic);
var_dump(gc_collect_cycles() > 0);
?>
--EXPECT--
NULL
changed: ["default",null,false,true,false,true,["right"],true] 4 ClassChanged shared memory changed
    "changed": shared memory holds an object that its class does not take any more: have it made anew, or let the class read what earlier ones wrote (TypeError: Cannot assign string to property Changed::$views of type int)
enum(Larder\Outcome::Done)
string(4) "anew"
gone: ["default",null,false,true,false,true,["right"],true] 4 ClassGone shared memory gone
    "gone": shared memory holds what is of a class, an enum or a case that is not there any more: have it made anew, or bring that back (class Gone)
enum(Larder\Outcome::Done)
string(4) "anew"
wakes: ["default",null,false,true,false,true,["right"],true] 4 ClassChanged shared memory wakes
    "wakes": shared memory holds an object that its class does not take any more: have it made anew, or let the class read what earlier ones wrote (DomainException: not now)
enum(Larder\Outcome::Done)
string(4) "anew"
reads: ["default",null,false,true,false,true,["right"],true] 4 ClassChanged shared memory reads
    "reads": shared memory holds an object that its class does not take any more: have it made anew, or let the class read what earlier ones wrote (RangeException: two\nlines)
enum(Larder\Outcome::Done)
string(4) "anew"
case: ["default",null,false,true,false,true,["right"],true] 4 ClassGone shared memory case
    "case": shared memory holds what is of a class, an enum or a case that is not there any more: have it made anew, or bring that back (Undefined constant Suit::Hearts)
enum(Larder\Outcome::Done)
string(4) "anew"
enum: ["default",null,false,true,false,true,["right"],true] 4 ClassGone shared memory enum
    "enum": shared memory holds what is of a class, an enum or a case that is not there any more: have it made anew, or bring that back (Class 'Lost' not found)
enum(Larder\Outcome::Done)
string(4) "anew"
bool(true)
told
string(7) "default"
NULL
bool(true)
string(22) "__PHP_Incomplete_Class"
string(4) "late"
bool(true)
