<?php

declare(strict_types=1);

use App\Configuration;
use Larder\Dashboard\Admission;
use Larder\Dashboard\Dashboard;

require __DIR__ . '/../../vendor/autoload.php';

// Who has the secret may see it, and flush. Without one nobody may.
$configuration = new Configuration($_SERVER + getenv());
$admission = $configuration->dashboard === '' ? null : Admission::secret($configuration->dashboard);
Dashboard::of($configuration->site(), $admission, allowsFlush: true, followers: $configuration->followers)->run();
