<?php

declare(strict_types=1);

use Larder\Sql\Tracker\RecordingPdo;

require getenv('AUTOLOAD');

$asked = $_GET;
$connection = new RecordingPdo(
    (string) getenv('DSN'),
    user: (string) getenv('ACCOUNT'),
    password: (string) getenv('PASSWORD'),
    keepsSecond: $asked['keeps'] === '1',
);
$second = $connection->tracker()->second();
$number = (string) getenv('NUMBER');
$of = static fn(): int => (int) current($second->rows("SELECT $number AS number")[0]);
echo json_encode(['first' => $connection->query("SELECT $number")->fetchColumn(), 'second' => $of()]), "\n";
flush();
if ($asked['do'] === 'exit') {
    $second->transaction(static function () use ($second): never {
        $second->change("UPDATE news SET title = 'half' WHERE id = 4");
        exit;
    });
}
if ($asked['do'] === 'close') {
    (new PDO((string) getenv('DSN'), (string) getenv('ACCOUNT'), (string) getenv('PASSWORD')))
        ->query(sprintf((string) getenv('CLOSE'), $of()));
    echo json_encode(['opened' => $of(), 'in' => $second->transaction($of)]), "\n";
}
