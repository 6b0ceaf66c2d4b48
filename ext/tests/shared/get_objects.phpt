--TEST--
get: objects and enums keep their identity inside one value
--EXTENSIONS--
larder
--FILE--
<?php
enum Suit: string
{
    case Hearts = 'h';
}

final class Point
{
    public ?Point $next = null;
    public function __construct(public int $x) {}
}

$memory = new Larder\SharedMemory();
$point = new Point(1);
$point->next = $point;
var_dump(
    $memory->set(
        'value',
        ['plain' => [1, 2], 'first' => $point, 'deep' => ['second' => $point], 'suit' => Suit::Hearts],
    ),
);

$value = $memory->get('value');
var_dump(
    $value['first'] === $value['deep']['second'],
    $value['first']->next === $value['first'],
    $value['first'] === $point,
);
var_dump($value['suit'] === Suit::Hearts, $value['plain']);

$memory->set('alone', new DateTimeImmutable('2020-01-02 UTC'));
var_dump($memory->get('alone')->format('Y-m-d'));
?>
--EXPECT--
enum(Larder\Outcome::Done)
bool(true)
bool(true)
bool(false)
bool(true)
array(2) {
  [0]=>
  int(1)
  [1]=>
  int(2)
}
string(10) "2020-01-02"
