<?php

declare(strict_types=1);

use Larder\Proof\Demo\Crowd\Visit;
use Larder\Proof\Demo\Crowd\Way;

// One visitor of the crowd: /?way=get/set&store=memory&waits=1
require __DIR__ . '/../../../../vendor/autoload.php';

$asked = static fn(string $name): string => is_string($_GET[$name] ?? null) ? $_GET[$name] : '';
header('Content-Type: text/plain');
echo (new Visit((string) getenv('CROWD_DIRECTORY'), (string) getenv('CROWD_DATABASE')))->answer(
    Way::from($asked('way')),
    $asked('store'),
    $asked('waits') === '1',
);
